package dev.berth.node.runtime.cri;

import com.google.protobuf.ByteString;
import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.EngineSpec.Profile;
import dev.berth.node.runtime.EngineSpec.Resources;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.cri.v1.Capability;
import dev.berth.node.runtime.cri.v1.ContainerConfig;
import dev.berth.node.runtime.cri.v1.ContainerMetadata;
import dev.berth.node.runtime.cri.v1.Device;
import dev.berth.node.runtime.cri.v1.ImageSpec;
import dev.berth.node.runtime.cri.v1.Int64Value;
import dev.berth.node.runtime.cri.v1.KeyValue;
import dev.berth.node.runtime.cri.v1.LinuxContainerConfig;
import dev.berth.node.runtime.cri.v1.LinuxContainerResources;
import dev.berth.node.runtime.cri.v1.LinuxContainerSecurityContext;
import dev.berth.node.runtime.cri.v1.Mount;
import dev.berth.node.runtime.cri.v1.MountPropagation;
import dev.berth.node.runtime.cri.v1.SecurityProfile;
import dev.berth.node.runtime.cri.v1.SecurityProfile.ProfileType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a container is asked for.
final class ContainerConfigs {
  /// What kubelets hide from containers that do not ask for it (`procMount: Unmasked`).
  private static final List<String> MASKED =
      List.of(
          "/proc/asound",
          "/proc/acpi",
          "/proc/interrupts",
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/timer_list",
          "/proc/timer_stats",
          "/proc/sched_debug",
          "/proc/scsi",
          "/sys/firmware",
          "/sys/devices/virtual/powercap");

  /// What they may look at only.
  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private static final String RESTARTS = "io.kubernetes.container.restartCount";
  private static final String MESSAGE_PATH = "io.kubernetes.container.terminationMessagePath";

  private final Path profiles;
  private final boolean readOnlyTrees;

  /// @param profiles directory of the machine's own seccomp profiles
  /// @param readOnlyTrees whether the engine can make a mount read-only with all below it
  ContainerConfigs(Path profiles, boolean readOnlyTrees) {
    this.profiles = profiles;
    this.readOnlyTrees = readOnlyTrees;
  }

  /// @param lastWords file of the machine for its termination message
  /// @throws RefusedException if the engine would leave out something that matters
  ContainerConfig of(ContainerSpec spec, Map<String, String> labels, Path lastWords)
      throws RefusedException {
    var engine = spec.engine();
    var config =
        ContainerConfig.newBuilder()
            .setMetadata(
                ContainerMetadata.newBuilder()
                    .setName(spec.id().name())
                    .setAttempt(spec.id().attempt()))
            .setImage(ImageSpec.newBuilder().setImage(spec.image()))
            .addAllCommand(engine.command())
            .addAllArgs(engine.arguments())
            .setWorkingDir(spec.program().workingDirectory())
            .putAllLabels(labels)
            .putAnnotations(RESTARTS, Integer.toString(spec.id().attempt()))
            .setLogPath(SandboxConfigs.logs(spec).relativize(spec.log()).toString())
            .setStdin(engine.input().open())
            .setStdinOnce(engine.input().once())
            .setTty(engine.input().terminal())
            .setLinux(
                LinuxContainerConfig.newBuilder()
                    .setResources(resources(engine.resources()))
                    .setSecurityContext(security(spec)));
    spec.program()
        .environment()
        .forEach((name, value) ->
            config.addEnvs(
                KeyValue.newBuilder().setKey(name).setValue(ByteString.copyFromUtf8(value))));
    for (var mount : sorted(spec.mounts())) config.addMounts(mount(mount));
    spec.terminationMessagePath()
        .ifPresent(path ->
            config
                .putAnnotations(MESSAGE_PATH, path)
                .addMounts(
                    Mount.newBuilder().setContainerPath(path).setHostPath(lastWords.toString())));
    for (var device : spec.devices()) config.addDevices(device(device));
    return config.build();
  }

  /// NSUB-05: those nearer to the root first.
  private static List<ContainerMount> sorted(List<ContainerMount> mounts) {
    var sorted = new ArrayList<>(mounts);
    sorted.sort(Comparator.comparingInt(it -> Path.of(it.target()).getNameCount()));
    return sorted;
  }

  private Mount mount(ContainerMount wanted) throws RefusedException {
    var mount =
        Mount.newBuilder()
            .setContainerPath(wanted.target())
            .setHostPath(wanted.source().toString())
            .setPropagation(
                switch (wanted.propagation()) {
                  case SHARED -> MountPropagation.PROPAGATION_BIDIRECTIONAL;
                  case SLAVE -> MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
                  case PRIVATE, UNBINDABLE -> MountPropagation.PROPAGATION_PRIVATE;
                });
    switch (wanted.access()) {
      case READ_WRITE -> {}
      case READ_ONLY -> mount.setReadonly(true);
      case READ_ONLY_TREE_IF_POSSIBLE ->
          mount.setReadonly(true).setRecursiveReadOnly(readOnlyTrees);
      case READ_ONLY_TREE -> { // NSUB-06
        if (!readOnlyTrees)
          throw new RefusedException(
              Reason.CREATE_CONTAINER_CONFIG_ERROR,
              "recursiveReadOnly Enabled at %s: the container engine of this node cannot do it; take a newer one, or IfPossible"
                  .formatted(wanted.target()));
        mount.setReadonly(true).setRecursiveReadOnly(true);
      }
    }
    return mount.build();
  }

  /// NBLK-04.
  private static Device device(ContainerDevice wanted) {
    return Device.newBuilder()
        .setContainerPath(wanted.target())
        .setHostPath(wanted.source().toString())
        .setPermissions(wanted.access() == ContainerDevice.Access.READ_ONLY ? "r" : "mrw")
        .build();
  }

  private static LinuxContainerResources resources(Resources wanted) {
    var resources =
        LinuxContainerResources.newBuilder()
            .setCpuShares(wanted.cpuShares())
            .setMemoryLimitInBytes(wanted.memory())
            .setOomScoreAdj(wanted.oomScoreAdjust());
    if (wanted.cpuQuota() > 0)
      resources.setCpuPeriod(Resources.CPU_PERIOD).setCpuQuota(wanted.cpuQuota());
    return resources.build();
  }

  private LinuxContainerSecurityContext security(ContainerSpec spec) {
    var engine = spec.engine();
    boolean privileged = spec.rights() == Rights.PRIVILEGED;
    var context =
        LinuxContainerSecurityContext.newBuilder()
            .setPrivileged(privileged)
            .setNamespaceOptions(SandboxConfigs.namespaces(engine.sandbox()))
            .setReadonlyRootfs(spec.root() == Root.READ_ONLY)
            .setNoNewPrivs(spec.rights() == Rights.NO_NEW_PRIVILEGES)
            .setCapabilities(
                Capability.newBuilder()
                    .addAllAddCapabilities(engine.capabilities().added())
                    .addAllDropCapabilities(engine.capabilities().dropped()));
    for (int group : spec.user().groups()) context.addSupplementalGroups(group);
    engine.runAsUser().ifPresent(uid -> context.setRunAsUser(number(uid)));
    engine.runAsGroup().ifPresent(gid -> context.setRunAsGroup(number(gid)));
    profile(engine.seccomp(), profiles).ifPresent(context::setSeccomp);
    profile(engine.appArmor(), Path.of("")).ifPresent(context::setApparmor);
    if (!privileged && engine.hidesKernelFiles())
      context.addAllMaskedPaths(MASKED).addAllReadonlyPaths(READ_ONLY);
    return context.build();
  }

  private static Optional<SecurityProfile> profile(Profile wanted, Path folder) {
    var profile = SecurityProfile.newBuilder();
    return switch (wanted.kind()) {
      case UNSAID -> Optional.empty();
      case RUNTIME_DEFAULT ->
          Optional.of(profile.setProfileType(ProfileType.RuntimeDefault).build());
      case UNCONFINED -> Optional.of(profile.setProfileType(ProfileType.Unconfined).build());
      case LOCALHOST ->
          Optional.of(
              profile
                  .setProfileType(ProfileType.Localhost)
                  .setLocalhostRef(folder.resolve(wanted.file()).toString())
                  .build());
    };
  }

  private static Int64Value number(long value) {
    return Int64Value.newBuilder().setValue(value).build();
  }
}
