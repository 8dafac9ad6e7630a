package dev.berth.driver.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.socket.SocketAccess;
import dev.berth.driver.testing.ToyDriver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a driver's process can be told on its command line.
class ProcessArgumentsTest {
  private final ToyDriver driver = new ToyDriver();

  @Test
  void understandsTheArgumentsOfTheSidecarsThatItReplaces() { // REG-06, LIV-03, UDS-07
    var read =
        ProcessOptions.of(
            Arguments.of(
                List.of(
                    "--endpoint=unix:///x.sock",
                    "--socket-mode=0640",
                    "--socket-group=storage",
                    "--timeout",
                    "1s",
                    "--connection-timeout=1m",
                    "--probe-timeout=3s",
                    "--csi-address=/run/csi/other",
                    "--health-port",
                    "9808",
                    "--metrics-address=:8080",
                    "--metrics-path=/numbers"),
                Set.of()));
    assertThat(read.http())
        .isEqualTo(
            new HttpPlaces(
                Optional.of(new InetSocketAddress(9808)),
                Optional.of(new InetSocketAddress(8080)),
                "/numbers"));
    assertThat(read.access())
        .isEqualTo(
            new SocketAccess(PosixFilePermissions.fromString("rw-r-----"), Optional.of("storage")));
  }

  @Test
  void theSidecarsAddressOfTheDriverIsItsEndpoint() { // REG-06, LIV-01
    var read = ProcessOptions.of(Arguments.of(List.of("--csi-address", "/run/x.sock"), Set.of()));
    assertThat(read.socket()).hasToString("/run/x.sock");
  }

  @Test
  void probesNothingInTheRegistrarsProbeMode() { // REG-06
    assertThat(
            DriverProcess.run(
                "toy",
                List.of("--mode=kubelet-registration-probe"),
                Set.of(),
                _ -> driver,
                System.err))
        .isZero();
  }

  @Test
  void saysWhatItCanBeTold() {
    for (var words : List.of(List.of("--help"), List.of("--pool", "p", "-h")))
      assertThat(DriverProcess.run("toy", words, Set.of("--pool"), _ -> driver, System.err))
          .isZero();
    assertThat(DriverProcess.help("toy", Set.of("--pool", "--node")))
        .startsWith("Usage: toy --endpoint unix:///PATH [options]")
        .contains("--node VALUE\n  --pool VALUE", DriverProcess.HELP);
  }

  /// Arguments that are refused, and in which words.
  record Refused(String words, List<String> arguments) {
    Refused(String words, String... arguments) {
      this(words, List.of(arguments));
    }

    @Override
    public String toString() {
      return words;
    }
  }

  static final List<Refused> refused =
      List.of(
          new Refused("--endpoint is missing"),
          new Refused("--colour is unknown; see --help", "--colour", "red"),
          new Refused("--endpoint needs a value", "--endpoint"),
          new Refused("endpoint run/csi.sock is not a Unix socket", "--endpoint", "run/csi.sock"),
          new Refused("endpoint /run/csi does not end in .sock", "--endpoint=unix:///run/csi"),
          new Refused(
              "--socket-mode rw is not an octal mode", "--endpoint=/x.sock", "--socket-mode=rw"),
          new Refused(
              "--http-endpoint is for health and metrics",
              "--endpoint=/x.sock",
              "--http-endpoint=:80",
              "--health-port=81"),
          new Refused(
              "/healthz cannot be the path", "--endpoint=/x.sock", "--metrics-path=/healthz"),
          new Refused(
              "--services none is not a list of controller and node",
              "--endpoint",
              "/x.sock",
              "--services",
              "none"),
          new Refused(
              "--http-endpoint 80 is not HOST:PORT",
              "--endpoint",
              "/x.sock",
              "--http-endpoint",
              "80"),
          new Refused(
              "--health-port ８０ is not a port", "--endpoint", "/x.sock", "--health-port", "８０"),
          new Refused(
              "--log-level loud is not one of", "--endpoint", "/x.sock", "--log-level", "loud"),
          new Refused(
              "--endpoint is given 2 times: /x.sock, /y.sock; give it once",
              "--endpoint=/x.sock",
              "--endpoint",
              "/y.sock"),
          new Refused(
              "--pool is given 2 times: a, b; give it once",
              "--endpoint=/x.sock",
              "--pool=a",
              "--pool=b"),
          new Refused("--pool is missing", "--endpoint", "/x.sock"));

  @ParameterizedTest
  @FieldSource
  void refused(Refused row) {
    var err = new ByteArrayOutputStream();
    var code =
        DriverProcess.run(
            "toy",
            row.arguments,
            Set.of("--pool"),
            arguments -> {
              arguments.one("--pool");
              return driver;
            },
            new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("toy: " + row.words);
    assertThat(code).isEqualTo(2);
  }
}
