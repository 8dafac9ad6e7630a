package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import java.util.Optional;

/// Why a node, or every node, does not do for a pod.
///
/// @param reason in upstream's words
/// @param sentence whose change would help
/// @param until what that change is, continuing "… waits until"
/// @param remedy what a person can do; empty: it helps itself
record Refusal(String reason, Wait.Sentence sentence, String until, Optional<String> remedy) {
  Refusal(String reason, Wait.Sentence sentence, String until, String remedy) {
    this(reason, sentence, until, Optional.of(remedy));
  }

  Refusal(String reason, Wait.Sentence sentence, String until) {
    this(reason, sentence, until, Optional.empty());
  }
}
