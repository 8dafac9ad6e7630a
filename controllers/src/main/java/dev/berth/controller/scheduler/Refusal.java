package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import java.time.Instant;
import java.util.Optional;

/// Why a node, or every node, does not do for a pod.
///
/// @param reason in upstream's words
/// @param sentence whose change would help
/// @param until what that change is, continuing "… waits until"
/// @param remedy what a person can do; empty: it helps itself
/// @param check what to make sure of first, since data can be lost, if it is why every node is
///   refused
record Refusal(
    String reason,
    Wait.Sentence sentence,
    String until,
    Optional<String> remedy,
    Optional<String> check) {
  Refusal(String reason, Wait.Sentence sentence, String until, String remedy) {
    this(reason, sentence, until, Optional.of(remedy), Optional.empty());
  }

  Refusal(String reason, Wait.Sentence sentence, String until) {
    this(reason, sentence, until, Optional.empty(), Optional.empty());
  }

  Refusal dangerEverywhere(String check) {
    return new Refusal(reason, sentence, until, remedy, Optional.of(check));
  }

  /// Other nodes are refused for other reasons.
  Refusal notEverywhere() {
    return new Refusal(reason, sentence, until, remedy, Optional.empty());
  }

  /// @param refused since when, if nothing of what it is about tells (XPL-06)
  Wait untilHelped(Instant refused) {
    var wait = sentence.since(sentence.since().orElse(refused)).until(until);
    if (remedy.isEmpty()) return wait;
    return check.isEmpty() ? wait.remedy(remedy.get()) : wait.danger(check.get(), remedy.get());
  }
}
