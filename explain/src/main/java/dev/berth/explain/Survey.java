package dev.berth.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.explain.answer.ChainJson;
import dev.berth.explain.answer.ChainText;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.explain.answer.Gap;
import dev.berth.explain.answer.Gaps;
import dev.berth.explain.answer.Link;
import dev.berth.explain.answer.Sight;
import dev.berth.explain.voice.Cause;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything that is stuck, equal causes told once (XPL-23).
///
/// @param causes the worst first, then those that hold up most
/// @param going how many objects wait and go on by themselves
/// @param looked how many objects were looked at
/// @param unlisted of what objects not all could be looked at
/// @param gaps what may not be read, those with it
public record Survey(List<Cause> causes, int going, int looked, Set<Gap> unlisted, Set<Gap> gaps) {
  private static final int NAMED = 5;

  /// One cause.
  ///
  /// @param stuck the objects that it holds up, at least one
  public record Cause(List<Explanation> stuck) {
    Explanation first() {
      return stuck.getFirst();
    }
  }

  /// @param unseen what is missing in the objects
  /// @param namespace empty: everything, volumes, attachments and nodes too
  public static Survey of(
      Explainer explainer, Snapshot objects, Gaps unseen, String namespace, Instant now) {
    var causes = new LinkedHashMap<String, List<Explanation>>();
    unseen.take(); // what was read in advance need not matter
    var subjects = subjects(objects, namespace);
    var unlisted =
        unseen.take().stream()
            .filter(gap -> namespace.isEmpty() || gap.matters())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    var gaps = new LinkedHashSet<>(unlisted);
    int going = 0;
    int looked = 0;
    for (var subject : subjects) {
      var told = explainer.explain(subject, now);
      looked++;
      told.gaps().stream().filter(Gap::matters).forEach(gaps::add);
      if (told.chain().isEmpty()) continue;
      if (told.verdict() == Verdict.PROGRESS) going++;
      else causes.computeIfAbsent(cause(told), _ -> new ArrayList<>()).add(told);
    }
    return new Survey(
        causes.values().stream()
            .map(Cause::new)
            .sorted(
                Comparator.comparing((Cause it) -> it.first().own())
                    .thenComparingInt(it -> it.stuck().size())
                    .reversed())
            .toList(),
        going,
        looked,
        unlisted,
        gaps);
  }

  private static List<Ref> subjects(Snapshot objects, String namespace) {
    var everywhere = namespace.isEmpty();
    var own =
        Stream.of(
                refs(Kinds.CLAIM, objects),
                objects.all(Kinds.POD).stream()
                    .filter(pod -> !pod.finished() || pod.meta().deleting())
                    .map(pod -> pod.ref()),
                refs(SnapshotKinds.SNAPSHOT, objects))
            .flatMap(it -> it)
            .filter(ref -> everywhere || ref.key().namespace().equals(namespace));
    if (!everywhere) return own.toList();
    return Stream.of(
            own,
            objects.all(Kinds.VOLUME).stream()
                .filter(volume -> volume.phase() != Volume.Phase.AVAILABLE)
                .map(Volume::ref),
            refs(Kinds.ATTACHMENT, objects),
            refs(Kinds.NODE, objects))
        .flatMap(it -> it)
        .toList();
  }

  private static <T extends KubeObject> Stream<Ref> refs(Kind<T> kind, Snapshot objects) {
    return objects.all(kind).stream().map(object -> Ref.of(kind.resource(), object.meta()));
  }

  /// What stuck objects have in common: the state, and who does not move.
  private static String cause(Explanation told) {
    var state = told.state().orElse("");
    return switch (told.chain().getLast()) {
      case Link.Waits(var subject, _, var wait) ->
          state
              + (wait.on().resource().equals(subject.resource()) ? "" : " " + wait.on())
              + " "
              + wait.until();
      case Link.Fails(_, _, _, var last) -> state + " " + last.message();
      case Link.Acts(_, var component, _) -> state + " " + component;
      case Link.Blind(_, var component, var gaps) -> state + " " + component + " " + gaps;
    };
  }

  /// The worst of all. Where not all could be looked at, nothing says that none of it is stuck.
  public Verdict verdict() {
    if (!causes.isEmpty()) return causes.getFirst().first().verdict();
    if (going > 0) return Verdict.PROGRESS;
    // XPL-11
    return unlisted.isEmpty() ? Verdict.CLEAR : Verdict.UNREADABLE;
  }

  public List<String> lines(Instant now) {
    var lines = new ArrayList<String>();
    for (var cause : causes) {
      lines.addAll(ChainText.lines(cause.first(), now));
      if (cause.stuck().size() > 1) lines.add("Likewise: " + names(cause));
      lines.add("");
    }
    lines.add(
        "%d looked at: %d stuck for %d reasons, %d go on by themselves"
            .formatted(
                looked,
                causes.stream().mapToInt(it -> it.stuck().size()).sum(),
                causes.size(),
                going));
    lines.addAll(ChainText.unseen(List.copyOf(gaps)));
    return lines;
  }

  private static String names(Cause cause) {
    var rest = cause.stuck().subList(1, cause.stuck().size());
    var named =
        rest.stream()
            .limit(NAMED)
            .map(it -> it.subject() + in(it.subject()))
            .collect(Collectors.joining(", "));
    return rest.size() > NAMED ? named + ", and " + (rest.size() - NAMED) + " more" : named;
  }

  private static String in(Ref ref) {
    return ref.key().namespace().isEmpty() ? "" : " -n " + ref.key().namespace();
  }

  /// For programs.
  public ObjectNode json(Sight sight) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("kind", verdict().name().toLowerCase(Locale.ROOT));
    json.put("looked", looked).put("going", going);
    var list = json.putArray("causes");
    for (var cause : causes) {
      var node = list.addObject();
      cause.first().state().ifPresent(state -> node.put("id", state));
      node.put("count", cause.stuck().size());
      var objects = node.putArray("objects");
      cause.stuck().forEach(it -> objects.add(it.subject() + in(it.subject())));
      node.set("first", ChainJson.of(cause.first(), sight));
    }
    ChainJson.unread(List.copyOf(gaps), json);
    return json;
  }
}
