package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Why a node, or every node, does not do for a pod.
///
/// @param reasons in upstream's words; the first is the one that counts
/// @param sentence whose change would help
/// @param until what that change is, continuing "… waits until"
/// @param remedy what a person can do; empty: it helps itself
/// @param check what to make sure of first, since data can be lost, if it is why every node is
///   refused
record Refusal(
    List<String> reasons,
    Wait.Sentence sentence,
    String until,
    Optional<String> remedy,
    Optional<String> check) {
  Refusal {
    reasons = List.copyOf(reasons);
  }

  Refusal(String reason, Wait.Sentence sentence, String until, String remedy) {
    this(List.of(reason), sentence, until, remedy);
  }

  Refusal(List<String> reasons, Wait.Sentence sentence, String until, String remedy) {
    this(reasons, sentence, until, Optional.of(remedy), Optional.empty());
  }

  Refusal(String reason, Wait.Sentence sentence, String until) {
    this(List.of(reason), sentence, until, Optional.empty(), Optional.empty());
  }

  Refusal dangerEverywhere(String check) {
    return new Refusal(reasons, sentence, until, remedy, Optional.of(check));
  }

  /// Other nodes are refused for other reasons.
  Refusal notEverywhere() {
    return new Refusal(reasons, sentence, until, remedy, Optional.empty());
  }

  /// @param refused since when, if nothing of what it is about tells (XPL-06)
  Wait untilHelped(Instant refused) {
    var wait = sentence.since(sentence.since().orElse(refused)).until(until);
    if (remedy.isEmpty()) return wait;
    return check.isEmpty() ? wait.remedy(remedy.get()) : wait.danger(check.get(), remedy.get());
  }
}
