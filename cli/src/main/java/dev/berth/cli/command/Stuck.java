package dev.berth.cli.command;

import dev.berth.explain.ChainText;
import dev.berth.explain.Explainer;
import dev.berth.explain.Explanation;
import dev.berth.explain.Reading;
import dev.berth.explain.Voices;
import dev.berth.kube.api.Api;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resources;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Says what pods wait for, once for each new reason.
final class Stuck {
  private final Api api;
  private final Map<ObjectKey, String> told = new HashMap<>();

  Stuck(Api api) {
    this.api = api;
  }

  /// @param lines for people
  record Word(Explanation explanation, List<String> lines) {}

  /// Empty: it waits for nothing, or for what was said before.
  Optional<Word> about(ObjectKey pod) {
    var objects = Reading.of(api);
    var now = Instant.now();
    var subject = Ref.of(Resources.PODS, pod);
    var explanation = new Explainer(Voices.all(api, objects)).explain(subject, objects, now);
    if (explanation.chain().isEmpty()) return Optional.empty();
    // The JSON has no ages, so it changes only when something does.
    var what = ChainText.json(explanation).toString();
    if (what.equals(told.put(pod, what))) return Optional.empty();
    return Optional.of(new Word(explanation, ChainText.lines(explanation, now)));
  }
}
