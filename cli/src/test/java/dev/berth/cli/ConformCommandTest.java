package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.command.Berth;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `berth conform` as scripts meet it. What it asks is tested in its own room.
class ConformCommandTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void itTellsWhyItCannotRun() {
    assertThat(Berth.run("conform")).isEqualTo(2);
    assertThat(Berth.run("conform", "--endpoint", "unix:///nowhere/csi.sock")).isEqualTo(2);
    assertThat(Berth.run("conform", "--endpoint", "tcp://localhost:1")).isEqualTo(2);
    assertThat(Berth.run("conform", "--only", "no-such-check")).isEqualTo(2);
    assertThat(Berth.run("conform", "--endpoint", "unix:///x", "--size", "small")).isEqualTo(2);
    assertThat(Berth.run("conform", "--nonsense")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--log /nope, '--log /nope: there is no such file'",
    "--log /, '--log /: it is a folder, not a file'",
    "--secrets /nope, '--secrets /nope: there is no such file'",
    "--junit /nope/x.xml, '--junit /nope/x.xml: there is no folder /nope'",
    "--junit /, '--junit /: it is a folder, not a file'",
    "--folder /nope, '--folder /nope: there is no such folder'",
    "--folder /dev/null, '--folder /dev/null: it is not a folder'",
    "--timeout 0, '--timeout 0: give at least 1 second'",
    "--timeout -1, '--timeout -1: give at least 1 second'",
  })
  void whatIsWrongWithAnOptionIsToldByItsName(String options, String words) {
    assertThat(refused(options.split(" "))).contains(words);
  }

  @Test
  void aLineThatIsNoSecretIsToldByItsNumberAlone() throws IOException {
    var secrets = folder.resolve("secrets");
    Files.writeString(secrets, "# who\nuser=ali=baba\n\nnot a pair\n");
    assertThat(refused("--secrets", secrets.toString()))
        .contains("--secrets " + secrets + ": line 4 is not KEY=VALUE")
        .doesNotContain("not a pair");
    Files.writeString(secrets, "=no key\n");
    assertThat(refused("--secrets", secrets.toString())).contains("line 1 is not KEY=VALUE");
  }

  @Test
  void aDriverThatIsSilentIsNotAskedOnAndOn() throws IOException {
    var socket = folder.resolve("silent.sock");
    try (var _ =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of(socket))) {
      assertThat(refused("--endpoint", "unix://" + socket, "--timeout", "1", "--output", "json"))
          .startsWith("berth: nobody answers at " + socket + " within 1 s");
    }
  }

  /// What is said, on one line, of a command line that cannot be carried out.
  private String refused(String... options) {
    var arguments = new ArrayList<>(List.of("conform", "--endpoint", "unix:///nowhere/csi.sock"));
    if (List.of(options).contains("--endpoint")) arguments.subList(1, 3).clear();
    arguments.addAll(List.of(options));
    var err = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      assertThat(Berth.run(arguments.toArray(String[]::new))).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1);
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void itListsItsChecks() {
    assertThat(Berth.run("conform", "--list", "--only", "identity")).isZero();
    assertThat(Berth.run("conform", "--list", "--output", "json")).isZero();
  }

  @Test
  void itChecksADriverAndWritesXml() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "needs root: skipped");
    var socket = folder.resolve("csi.sock");
    var xml = folder.resolve("conform.xml");
    try (var driver = DiskDriver.open(DiskOptions.of(List.of(folder.resolve("pool")), "a"));
        var _ = DriverServer.start(socket, driver)) {
      assertThat(
              Berth.run(
                  "conform",
                  "--endpoint",
                  "unix://" + socket,
                  "--folder",
                  folder.toString(),
                  "--size",
                  "32Mi",
                  "--parameter",
                  "allocation=thin",
                  "--only",
                  "identity,volume,node-publish.again",
                  "--junit",
                  xml.toString()))
          .isZero();
    }
    assertThat(xml).content().contains("conform.volume", "failures=\"0\"");
  }
}
