package dev.berth.cli.home;

import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.node.image.ImageStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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

  /// Holds the number of the process that runs the stack, for scripts.
  PidFile pidFile() {
    return new PidFile(folder.resolve("berth.pid"));
  }

  /// Room that a stack which starts or ends may use when nobody else has any.
  public Reserve reserve() {
    return new Reserve(folder.resolve("reserve"));
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

  /// Drives that are files, of the bare-metal driver.
  public DrivesFolder drives() {
    return new DrivesFolder(folder.resolve("drives"));
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

  /// Images for the containers of all nodes.
  public ImageStore images() {
    return new ImageStore(folder.resolve("images"));
  }

  /// Names of all nodes that have been here.
  public List<String> nodes() {
    var names = folder.resolve("nodes").toFile().list();
    return names == null ? List.of() : List.of(names);
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

  /// Makes the folder, which others may pass through but not list, and takes its lock for a stack.
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
    return hold().noted();
  }

  /// Likewise for what is no stack: it leaves no note of itself, since whoever finds one takes it
  /// that containers and mounts may have been left.
  ///
  /// @throws InUse if another process has it
  public HomeLock hold() throws IOException, InUse {
    if (!isNew() && !isHome())
      throw new IOException(
          folder + " holds other things than a stack's; choose a folder that is empty or new");
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x--x"));
    return HomeLock.take(this, lockFile());
  }

  /// Whether no stack has ever been here, and nothing else. A disk of its own may have what its
  /// file system brings with it.
  public boolean isNew() throws IOException {
    if (!Files.exists(folder)) return true;
    try (var entries = Files.list(folder)) {
      return entries.allMatch(entry -> entry.endsWith("lost+found"));
    }
  }

  private boolean isHome() {
    return Files.exists(lockFile()) || Files.exists(store()) || Files.exists(images().folder());
  }

  /// The process that runs a stack here now; empty if none does.
  ///
  /// @throws IOException if the folder may not be looked into, or another process has locked it
  public Optional<ProcessIdentity> running() throws IOException {
    return HomeLock.holder(lockFile());
  }

  /// Whether a stack that is no longer up may have left containers or mounts: it was killed, and
  /// had no time to take its note away, or could not unmount everything. Where none is up.
  public boolean hasLeftovers() throws IOException {
    return pidFile().exists() || !mounts().isEmpty();
  }

  /// What is mounted for pods now, on any node.
  public List<Path> mounts() throws IOException {
    var nodes = folder.resolve("nodes");
    if (!Files.exists(nodes)) return List.of();
    return Mounts.ofThisMachine().table().under(nodes.toRealPath()).stream()
        .map(MountEntry::target)
        .toList();
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
