package dev.berth.node.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// All that is needed to start a container, with every expansion done and every default filled in.
///
/// @param image name of the root file system; `host`: the machine's own
/// @param hostName what the container calls its machine: the pod's name
/// @param program what runs
/// @param user as whom
/// @param rights what it may do beyond an ordinary user or root
/// @param root whether it can write outside its mounts
/// @param mounts in any order; the runtime makes those nearer to the root first
/// @param devices block devices and others that appear in it
/// @param log where standard output and standard error go, in lines as they come; the directory
///   exists, the file is appended to
/// @param terminationMessagePath file inside for its last words, usually `/dev/termination-log`;
///   empty: none
/// @param engine what a container engine is told beside this
public record ContainerSpec(
    ContainerId id,
    String image,
    String hostName,
    Program program,
    User user,
    Rights rights,
    Root root,
    List<ContainerMount> mounts,
    List<ContainerDevice> devices,
    Path log,
    Optional<String> terminationMessagePath,
    EngineSpec engine) {
  /// May the container write to its root file system?
  public enum Root {
    WRITABLE,
    READ_ONLY
  }

  /// What the container's processes may do to the machine.
  public enum Rights {
    /// The capabilities that container engines leave to root by default; own `/dev`.
    ORDINARY,
    /// The same, and no program can gain more (`allowPrivilegeEscalation: false`).
    NO_NEW_PRIVILEGES,
    /// All capabilities, and the machine's devices.
    PRIVILEGED
  }

  /// Of a container for the built-in runtime.
  public ContainerSpec(
      ContainerId id,
      String image,
      String hostName,
      Program program,
      User user,
      Rights rights,
      Root root,
      List<ContainerMount> mounts,
      List<ContainerDevice> devices,
      Path log,
      Optional<String> terminationMessagePath) {
    this(
        id,
        image,
        hostName,
        program,
        user,
        rights,
        root,
        mounts,
        devices,
        log,
        terminationMessagePath,
        EngineSpec.NONE);
  }

  /// Why a container is refused whose pod forbids root, and whose image has no other user.
  public String rootRefusal() {
    var sandbox = engine.sandbox();
    return "container has runAsNonRoot and image will run as root (pod: \"%s_%s(%s)\", container: %s)"
        .formatted(sandbox.name(), sandbox.namespace(), id.podUid(), id.name());
  }

  public ContainerSpec {
    mounts = List.copyOf(mounts);
    devices = List.copyOf(devices);
  }
}
