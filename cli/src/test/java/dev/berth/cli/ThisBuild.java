package dev.berth.cli;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The command as it was just compiled, for processes of its own.
final class ThisBuild {
  private ThisBuild() {}

  /// What starts it; its arguments follow.
  static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        "dev.berth.cli.Main");
  }

  /// Makes a program that starts it, where documents have `./berth`.
  static void writeLauncher(Path file) throws IOException {
    Files.createFile(file, asFileAttribute(fromString("rwx------")));
    Files.writeString(
        file,
        """
        #!/bin/sh
        export BERTH_LAUNCHER=$0
        exec '%s' "$@"
        """
            .formatted(String.join("' '", command())));
  }
}
