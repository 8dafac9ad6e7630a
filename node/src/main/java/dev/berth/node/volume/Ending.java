package dev.berth.node.volume;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How long containers may take to end that were asked to.
public final class Ending {
  /// After it was killed a container is gone at once, unless its processes hang (T02).
  private static final Duration DYING = Duration.ofSeconds(30);

  private Ending() {}

  /// @param pod whose containers they are; empty: its object is gone, and nothing tells since when
  /// @param instead what is spoken of then
  public static Wait wait(Optional<Pod> pod, Ref instead, String until) {
    var sentence = Wait.on(pod.map(Pod::ref).orElse(instead), "status.containerStatuses");
    return pod.flatMap(it -> it.meta().deleted().map(killed -> late(it, killed, sentence, until)))
        .orElseGet(() -> sentence.until(until));
  }

  private static Wait late(Pod pod, Instant killed, Wait.Sentence sentence, String until) {
    var grace = Duration.ofSeconds(pod.meta().graceSeconds().orElse(0));
    return sentence
        .since(killed.minus(grace))
        .until(until)
        .ifLate(
            grace.plus(DYING),
            "look at what keeps its processes on node %s alive".formatted(pod.nodeName()));
  }
}
