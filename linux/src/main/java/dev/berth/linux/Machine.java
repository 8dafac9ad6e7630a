package dev.berth.linux;

import dev.berth.linux.namespace.NamespaceThread;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What this machine can do for Berth, found out by trying, and what to do where it cannot
/// (SYS-32).
public final class Machine {
  private static final Path FILE_SYSTEMS = Path.of("/proc/filesystems");
  private static final Path MODULES = Path.of("/lib/modules");
  private static final Path LOOP_CONTROL = Path.of("/dev/loop-control");

  private final Tools tools;

  public Machine(Tools tools) {
    this.tools = tools;
  }

  /// What keeps Berth from making mounts and name spaces at all; empty: nothing.
  public Optional<String> whyNoMounts() {
    if (!"root".equals(System.getProperty("user.name")))
      return Optional.of("Berth mounts volumes and needs root; run it with sudo");
    try (var _ = NamespaceThread.withOwnMounts("probe")) {
      return Optional.empty();
    } catch (LinuxException refused) {
      return Optional.ofNullable(refused.getMessage());
    }
  }

  /// What keeps files from becoming block devices; empty: nothing.
  public Optional<String> whyNoLoopDevices() {
    if (Files.exists(LOOP_CONTROL)) return Optional.empty();
    return Optional.of(
        LOOP_CONTROL
            + " is missing; load the kernel module loop (modprobe loop), and in a container"
            + " pass /dev/loop-control and the loop devices in");
  }

  /// What keeps a file system from being made and mounted; empty: nothing.
  public Optional<String> whyNot(FileSystemType type) {
    if (!tools.has(type.maker()))
      return Optional.of(
          type.maker() + " is not installed; install " + Tools.packageOf(type.maker()));
    if (isKnownToKernel(type.word()) || hasModules()) return Optional.empty();
    return Optional.of("this kernel has no " + type.word());
  }

  /// What keeps the `host` image's containers from running; empty: nothing.
  public Optional<String> whyNoContainers() {
    if (!tools.has("setsid"))
      return Optional.of("setsid is not installed; install " + Tools.packageOf("setsid"));
    if (!isKnownToKernel("overlay") && !hasModules())
      return Optional.of("this kernel has no overlay file system");
    return whyNoMounts();
  }

  /// All of the above that is amiss, as sentences.
  public List<String> complaints() {
    var complaints = new ArrayList<String>();
    whyNoMounts().ifPresent(complaints::add);
    whyNoLoopDevices().ifPresent(complaints::add);
    for (var type : FileSystemType.values()) whyNot(type).ifPresent(complaints::add);
    whyNoContainers().filter(why -> !complaints.contains(why)).ifPresent(complaints::add);
    return complaints;
  }

  private static boolean isKnownToKernel(String type) {
    try (var lines = Files.lines(FILE_SYSTEMS)) {
      return lines.anyMatch(line -> line.endsWith("\t" + type));
    } catch (IOException _) {
      return false;
    }
  }

  /// A kernel with modules loads a file system when it is first mounted.
  private static boolean hasModules() {
    return Files.isDirectory(MODULES.resolve(System.getProperty("os.version")));
  }
}
