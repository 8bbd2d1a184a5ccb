import Glibc
import LabSupport
import Testing

@testable import Audio

/// If one of these fails, Sonde calls something else than what JACK calls by that name.
extension JACKSuites {
  @Suite struct JACKLibraryTests {
    @Test func clientsAndPortsOfARunningServer() throws {
      let server = try JACKServer(
        name: JACKServer.uniqueName("library"), rate: 44100, period: 128, physicalPorts: 3)
      let jack = try JACKLibrary()
      jack.silence()
      let client = try #require(jack.openClient("probe", server: server.name).0)
      defer { #expect(jack.clientClose(client) == 0) }
      #expect(jack.getSampleRate(client) == 44100)
      #expect(jack.getBufferSize(client) == 128)
      #expect(String(cString: try #require(jack.getClientName(client))) == "probe")
      // Strings that become pointers must not do so within a macro: it keeps the pointer longer than it lives.
      let made = jack.portRegister(
        client, "out", JACKLibrary.audioType, JACKLibrary.portIsOutput, 0)
      let port = try #require(made)
      let portName = String(cString: try #require(jack.portName(port)))
      #expect(portName == "probe:out")
      #expect(
        jack.ports(
          of: client, flags: JACKLibrary.portIsPhysical | JACKLibrary.portIsInput)
          == ["system:playback_1", "system:playback_2", "system:playback_3"])
      #expect(
        jack.ports(of: client, named: "system:capture_[12]", flags: JACKLibrary.portIsOutput)
          == ["system:capture_1", "system:capture_2"])
      #expect(jack.activate(client) == 0)
      let connected = jack.connect(client, "probe:out", "system:playback_2")
      #expect(connected == 0)
      #expect(jack.connections(of: port, client) == ["system:playback_2"])
      #expect(jack.deactivate(client) == 0)
      withExtendedLifetime(server) {}
    }

    /// A server that is not there is an answer, and none is started in its place.
    @Test func aMissingServerIsSaid() throws {
      let jack = try JACKLibrary()
      jack.silence()
      let (client, status) = jack.openClient("probe", server: JACKServer.uniqueName("nobody"))
      #expect(client == nil)
      #expect(status & JACKLibrary.serverFailed != 0)
    }
  }
}
