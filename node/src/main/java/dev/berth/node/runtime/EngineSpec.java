package dev.berth.node.runtime;

import java.util.List;
import java.util.OptionalLong;

/// What a container engine is told of a container beside [ContainerSpec]: what an image decides
/// where the pod's author says nothing, and what the built-in runtime does not do.
///
/// @param sandbox of the container's pod
/// @param command in place of the image's entry point; empty: that one
/// @param arguments of it; empty, with an empty command: the image's
/// @param runAsUser empty: the image's user
/// @param runAsGroup empty: that user's
/// @param runAsNonRoot whether root is refused
/// @param capabilities added to and taken from the engine's own
/// @param seccomp which system calls it may make
/// @param appArmor empty: the engine's choice
/// @param hidesKernelFiles whether what tells or changes too much of the kernel is hidden below
///   `/proc` and `/sys`
/// @param resources what it may use
/// @param input whether it has a standard input, and a terminal
/// @param strictGroups whether its user is in no groups but those that the pod says
public record EngineSpec(
    PodSandbox sandbox,
    List<String> command,
    List<String> arguments,
    OptionalLong runAsUser,
    OptionalLong runAsGroup,
    boolean runAsNonRoot,
    Capabilities capabilities,
    Profile seccomp,
    Profile appArmor,
    boolean hidesKernelFiles,
    Resources resources,
    Input input,
    boolean strictGroups) {
  /// Of a container that nobody gives to an engine.
  public static final EngineSpec NONE =
      new EngineSpec(
          PodSandbox.UNKNOWN,
          List.of(),
          List.of(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          false,
          new Capabilities(List.of(), List.of()),
          Profile.STANDARD,
          Profile.UNSAID,
          true,
          Resources.NONE,
          Input.NONE,
          false);

  /// By their names without `CAP_`; `ALL`: all of them.
  public record Capabilities(List<String> added, List<String> dropped) {
    public Capabilities {
      added = List.copyOf(added);
      dropped = List.copyOf(dropped);
    }
  }

  /// A profile of seccomp or AppArmor.
  ///
  /// @param file of `LOCALHOST`
  public record Profile(Kind kind, String file) {
    static final Profile STANDARD = new Profile(Kind.RUNTIME_DEFAULT, "");
    static final Profile UNSAID = new Profile(Kind.UNSAID, "");

    /// Where it comes from.
    public enum Kind {
      UNSAID,
      RUNTIME_DEFAULT,
      UNCONFINED,
      LOCALHOST
    }

    public static Profile of(Kind kind) {
      return new Profile(kind, "");
    }
  }

  /// As Linux has them; 0: not limited.
  ///
  /// @param cpuShares weight against others
  /// @param cpuQuota microseconds of processor time in each 100 ms
  /// @param memory most bytes
  /// @param oomScoreAdjust how likely it is killed when the machine runs out of memory
  public record Resources(long cpuShares, long cpuQuota, long memory, int oomScoreAdjust) {
    static final Resources NONE = new Resources(0, 0, 0, 0);

    /// Microseconds for which [#cpuQuota] counts.
    public static final long CPU_PERIOD = 100_000;
  }

  /// `stdin`, `stdinOnce` and `tty` of the container.
  public record Input(boolean open, boolean once, boolean terminal) {
    static final Input NONE = new Input(false, false, false);
  }

  public EngineSpec {
    command = List.copyOf(command);
    arguments = List.copyOf(arguments);
  }
}
