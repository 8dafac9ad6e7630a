package dev.berth.cli.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// The folder of one stack. These names are a promise to scripts.
///
/// @param folder absolute
public record Home(Path folder) {
  /// Longest path of a socket in a node's folder is `plugins_registry/<driver>-reg.sock.tmp`; the
  /// kernel takes 107 bytes in all.
  private static final int LONGEST = 40;

  public static final Path DEFAULT = Path.of("/var/lib/berth");

  public Home {
    folder = folder.toAbsolutePath().normalize();
  }

  /// Credentials for kubectl and for every other client.
  public Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  /// Holds the number of the process that runs the stack.
  public Path pidFile() {
    return folder.resolve("berth.pid");
  }

  public Path log() {
    return folder.resolve("log");
  }

  /// What the stack's process has to say.
  public Path processLog() {
    return log().resolve("berth.0.log");
  }

  /// What containers print.
  public Path podLogs() {
    return log().resolve("pods");
  }

  /// Backing files of the disk driver.
  public Path pool() {
    return folder.resolve("pool");
  }

  /// The API server's store.
  public Path store() {
    return folder.resolve("api");
  }

  /// Certificates and keys.
  public Path credentials() {
    return folder.resolve("pki");
  }

  /// A node's folder, in the kubelet's own layout.
  public Path kubelet(String node) {
    return folder.resolve("nodes").resolve(node).resolve("kubelet");
  }

  /// How many nodes the largest stack here has had so far; at least 1.
  public int nodesBefore() {
    int nodes = 1;
    while (Files.exists(kubelet("node-" + (nodes + 1)))) nodes++;
    return nodes;
  }

  private Path lockFile() {
    return folder.resolve("lock");
  }

  /// Makes the folder, which others may pass through but not list, and takes its lock.
  ///
  /// @throws InUse if another process has it
  public HomeLock lock() throws IOException, InUse {
    if (folder.toString().length() > LONGEST)
      throw new IOException(
          "the path "
              + folder
              + " is too long: sockets below it must fit in 107 bytes; choose one of at most "
              + LONGEST
              + " characters with --home");
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x--x"));
    return HomeLock.take(this, lockFile());
  }

  /// The process that runs a stack here now; empty if none does.
  ///
  /// @throws IOException if the folder may not be looked into
  public Optional<ProcessHandle> running() throws IOException {
    var noted = noted();
    // A lock that nobody holds is ours while we look: that may be in the way of one who starts.
    if (noted.isEmpty() || !HomeLock.isHeld(lockFile())) return Optional.empty();
    return noted;
  }

  private Optional<ProcessHandle> noted() throws IOException {
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(pidFile()).strip()));
    } catch (NumberFormatException | NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /// Whether the process that ran a stack here last was killed: it had no time to take its note
  /// away.
  public boolean wasKilled() throws IOException {
    return Files.exists(pidFile()) && running().isEmpty();
  }

  /// What to say to who wants a second stack here.
  public String inUse() throws IOException {
    var holder = running().map(process -> " (pid " + process.pid() + ")").orElse("");
    return "berth is already up in %s%s; stop it with `berth down --home %s`, or choose another --home"
        .formatted(folder, holder, folder);
  }

  /// Another process runs a stack in this home.
  public static final class InUse extends Exception {
    private static final long serialVersionUID = 1;

    InUse(String message) {
      super(message);
    }
  }
}
