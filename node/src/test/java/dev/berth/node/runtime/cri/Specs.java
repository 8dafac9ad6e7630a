package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.EngineSpec;
import dev.berth.node.runtime.PodSandbox;
import dev.berth.node.runtime.PodSandbox.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an engine is told by tests.
final class Specs {
  private Specs() {}

  /// Of the pod `default/web`.
  static EngineSpec running(List<String> command) {
    var none = EngineSpec.NONE;
    return new EngineSpec(
        new PodSandbox(
            "default",
            "web",
            Share.WITH_NODE,
            Share.NOTHING,
            Share.IN_POD,
            Optional.empty(),
            false,
            Map.of("app", "web"),
            "",
            ""),
        command,
        List.of(),
        none.runAsUser(),
        none.runAsGroup(),
        false,
        none.capabilities(),
        none.seccomp(),
        none.appArmor(),
        true,
        none.resources(),
        none.input(),
        false);
  }
}
