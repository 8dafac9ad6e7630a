package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.PodSandbox;
import dev.berth.node.runtime.PodSandbox.Share;
import dev.berth.node.runtime.cri.v1.DNSConfig;
import dev.berth.node.runtime.cri.v1.LinuxPodSandboxConfig;
import dev.berth.node.runtime.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.node.runtime.cri.v1.NamespaceMode;
import dev.berth.node.runtime.cri.v1.NamespaceOption;
import dev.berth.node.runtime.cri.v1.PodSandboxConfig;
import dev.berth.node.runtime.cri.v1.PodSandboxMetadata;
import dev.berth.node.runtime.cri.v1.SecurityProfile;
import dev.berth.node.runtime.cri.v1.SecurityProfile.ProfileType;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/// How a pod's sandbox is asked for.
final class SandboxConfigs {
  private SandboxConfigs() {}

  static PodSandboxConfig of(ContainerSpec spec, Map<String, String> labels, int attempt) {
    var sandbox = spec.engine().sandbox();
    var config =
        PodSandboxConfig.newBuilder()
            .setMetadata(
                PodSandboxMetadata.newBuilder()
                    .setName(sandbox.name())
                    .setNamespace(sandbox.namespace())
                    .setUid(spec.id().podUid())
                    .setAttempt(attempt))
            .setLogDirectory(logs(spec).toString())
            .putAllLabels(labels)
            .setLinux(
                LinuxPodSandboxConfig.newBuilder()
                    .setCgroupParent(sandbox.cgroupParent())
                    .setSecurityContext(
                        LinuxSandboxSecurityContext.newBuilder()
                            .setNamespaceOptions(namespaces(sandbox))
                            .setPrivileged(sandbox.privileged())
                            .setSeccomp(
                                SecurityProfile.newBuilder()
                                    .setProfileType(ProfileType.RuntimeDefault))));
    // Who shares the machine's network shares its name, too.
    if (sandbox.network() != Share.WITH_NODE) config.setHostname(spec.hostName());
    sandbox
        .dns()
        .ifPresent(dns ->
            config.setDnsConfig(
                DNSConfig.newBuilder()
                    .addAllServers(dns.servers())
                    .addAllSearches(dns.searches())
                    .addAllOptions(dns.options())));
    return config.build();
  }

  /// The pod's directory of logs, below which each container has one.
  static Path logs(ContainerSpec spec) {
    return Objects.requireNonNull(Objects.requireNonNull(spec.log().getParent()).getParent());
  }

  static NamespaceOption namespaces(PodSandbox sandbox) {
    return NamespaceOption.newBuilder()
        .setNetwork(mode(sandbox.network()))
        .setPid(mode(sandbox.pid()))
        .setIpc(mode(sandbox.ipc()))
        .build();
  }

  private static NamespaceMode mode(Share share) {
    return switch (share) {
      case NOTHING -> NamespaceMode.CONTAINER;
      case IN_POD -> NamespaceMode.POD;
      case WITH_NODE -> NamespaceMode.NODE;
    };
  }
}
