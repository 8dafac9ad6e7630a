package dev.berth.cli.stack;

import dev.berth.kube.name.Labels;
import dev.berth.node.identity.NodeFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// What this machine says of itself as a node.
public final class Machine {
  private static final int MOST_PODS = 110; // the kubelet's default
  private static final String LINUX = "linux";

  private Machine() {}

  /// As a node of a stack, which nobody reaches from outside.
  static NodeFacts facts(String node) {
    return facts(node, InetAddress.ofLiteral("127.0.0.1"), MOST_PODS);
  }

  /// @param pods how many there may be on the node
  public static NodeFacts facts(String node, InetAddress address, int pods) {
    var arch = architecture();
    return new NodeFacts(
        node,
        Map.of(
            Labels.HOSTNAME,
            node,
            Labels.OS,
            LINUX,
            Labels.BETA_OS,
            LINUX,
            Labels.ARCH,
            arch,
            Labels.BETA_ARCH,
            arch),
        Map.of(
            "cpu",
            "" + Runtime.getRuntime().availableProcessors(),
            "memory",
            memory(),
            "pods",
            "" + pods),
        Map.of(
            "machineID",
            read("/etc/machine-id"),
            "systemUUID",
            "",
            "bootID",
            read("/proc/sys/kernel/random/boot_id"),
            "kernelVersion",
            read("/proc/sys/kernel/osrelease"),
            "osImage",
            hostName(),
            "containerRuntimeVersion",
            "berth://" + version(),
            "kubeletVersion",
            "v1.37.1+berth",
            "kubeProxyVersion",
            "",
            "operatingSystem",
            LINUX,
            "architecture",
            arch),
        address);
  }

  /// As Go names it, which is how Kubernetes does.
  public static String architecture() {
    return switch (System.getProperty("os.arch", "")) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      case String other -> other;
    };
  }

  private static String memory() {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemTotal:"))
          .map(line -> line.replaceAll("\\D", "") + "Ki")
          .findFirst()
          .orElse("0");
    } catch (IOException unreadable) {
      return "0";
    }
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException unreadable) {
      return ""; // facts for people; nothing decides by them
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      return "";
    }
  }

  private static String version() {
    var version = Machine.class.getPackage().getImplementationVersion();
    return version == null ? "0.1.0" : version;
  }
}
