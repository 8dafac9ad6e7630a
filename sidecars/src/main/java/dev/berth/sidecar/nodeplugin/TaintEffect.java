package dev.berth.sidecar.nodeplugin;

import dev.berth.kube.loop.Effect;

/// What can be done about a node's startup taint.
sealed interface TaintEffect extends Effect {
  /// Takes it off.
  record TakeOff() implements TaintEffect {}

  /// Leaves it where it is, if it is still there.
  record GiveUp() implements TaintEffect {}
}
