package dev.berth.explain.answer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An explanation as programs read it (XPL-12). There are no ages in it: it changes only when
/// something does.
public final class ChainJson {
  private final Sight sight;

  private ChainJson(Sight sight) {
    this.sight = sight;
  }

  /// Without the values of fields.
  public static ObjectNode of(Explanation explanation) {
    return of(explanation, Sight.NONE);
  }

  public static ObjectNode of(Explanation explanation, Sight sight) {
    return new ChainJson(sight).json(explanation);
  }

  private ObjectNode json(Explanation explanation) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("subject", explanation.subject().toString());
    namespace(explanation.subject()).ifPresent(it -> json.put("namespace", it));
    json.put("kind", word(explanation.verdict()));
    explanation.state().ifPresent(state -> json.put("id", state));
    explanation.stage().ifPresent(stage -> json.put("stage", stage));
    var chain = json.putArray("chain");
    for (int i = 0; i < explanation.chain().size(); i++) {
      var link = explanation.chain().get(i);
      var node = chain.addObject().put("id", explanation.states().get(i));
      node.put("kind", word(explanation.verdict(link)));
      node.put("subject", link.subject().toString()).put("component", link.component());
      tell(link, node);
    }
    if (!explanation.chain().isEmpty() && explanation.chain().getLast() instanceof Link.Waits last)
      last.step()
          .again()
          .ifPresent(
              at -> json.putObject("next").put("at", at.toString()).put("what", "decided anew"));
    if (!explanation.near().isEmpty()) {
      var near = json.putArray("nearMisses");
      explanation.near().forEach(near::add);
    }
    if (!explanation.others().isEmpty()) {
      var others = json.putArray("others");
      explanation.others().forEach(other -> others.add(json(other)));
    }
    reports(explanation, json);
    unread(explanation.gaps(), json);
    warnings(explanation, json);
    if (!explanation.notes().isEmpty()) {
      var notes = json.putArray("notes");
      for (var note : explanation.notes())
        notes.addObject().put("id", note.state()).put("note", note.sentence());
    }
    return json;
  }

  private void tell(Link link, ObjectNode node) {
    switch (link) {
      case Link.Acts acts -> node.put("does", ChainText.words(acts.effect()));
      case Link.Fails(_, _, var again, var last) -> {
        again.ifPresent(effect -> node.put("does", ChainText.words(effect)));
        node.put("fails", last.message());
        object(last.on(), last.field(), node);
        last.since().ifPresent(began -> node.put("since", began.toString()));
        last.reported().ifPresent(at -> node.put("reported", at.toString()));
        node.putArray("remedy").add(last.remedy());
      }
      case Link.Blind blind -> {
        var kinds = node.putArray("unreadable");
        blind.gaps().forEach(gap -> kinds.add(gap.resource().groupResource()));
      }
      case Link.Waits(_, _, var wait) -> tell(wait, node);
    }
  }

  private void tell(Wait wait, ObjectNode node) {
    node.put("waitsFor", wait.until());
    var tree = object(wait.on(), wait.field(), node);
    if (!sight.equals(Sight.NONE)) {
      var seen = FieldValue.seen(tree, wait.field());
      if (!seen.isMissingNode()) node.set("seen", seen);
      FieldValue.wanted(wait, tree).ifPresent(wanted -> node.set("wanted", wanted));
    }
    wait.since().ifPresent(began -> node.put("since", began.toString()));
    ChainText.usual(wait)
        .ifPresent(longest -> {
          node.put("bound", longest.toString());
          wait.since().ifPresent(began -> node.put("until", until(began, longest)));
        });
    wait.again().ifPresent(at -> node.put("next", at.toString()));
    ChainText.check(wait).ifPresent(first -> node.put("danger", first));
    wait.remedy().ifPresent(remedy -> node.putArray("remedy").add(remedy));
  }

  private static String until(Instant began, Duration longest) {
    return began.plus(longest).toString();
  }

  private Optional<JsonNode> object(Ref on, String path, ObjectNode node) {
    node.put("object", on.toString());
    namespace(on).ifPresent(it -> node.put("objectNamespace", it));
    node.put("path", path);
    return sight.tree(on);
  }

  private static Optional<String> namespace(Ref ref) {
    return Optional.of(ref.key().namespace()).filter(it -> !it.isEmpty());
  }

  private static String word(Explanation.Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }

  private static void reports(Explanation explanation, ObjectNode json) {
    if (explanation.reports().isEmpty()) return;
    var reports = json.putArray("reported");
    for (var report : explanation.reports())
      reports
          .addObject()
          .put("object", report.about().toString())
          .put("component", report.component())
          .put("reason", report.reason())
          .put("message", report.message())
          .put("at", report.at().toString());
  }

  public static void unread(List<Gap> unreadable, ObjectNode json) {
    if (unreadable.isEmpty()) return;
    var gaps = json.putArray("unread");
    for (var gap : unreadable)
      gaps.addObject()
          .put("resource", gap.resource().groupResource())
          .put("refusal", gap.refusal());
    json.put("rights", Gap.remedy(unreadable));
  }

  private static void warnings(Explanation explanation, ObjectNode json) {
    if (explanation.warnings().isEmpty()) return;
    var warnings = json.putArray("warnings");
    for (var warning : explanation.warnings())
      warnings
          .addObject()
          .put("object", warning.about().toString())
          .put("danger", warning.message());
  }
}
