package dev.berth.explain;

import dev.berth.explain.answer.Gap;
import dev.berth.explain.answer.Gaps;
import dev.berth.explain.answer.Link;
import dev.berth.explain.answer.Link.Acts;
import dev.berth.explain.answer.Link.Blind;
import dev.berth.explain.answer.Link.Fails;
import dev.berth.explain.answer.Link.Waits;
import dev.berth.explain.voice.PodFailures;
import dev.berth.explain.voice.Voice;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One question to all components: what each of them says of one object after another, and what
/// they could not see.
final class Asking {
  private final Voices voices;
  private final Snapshot objects;
  private final Gaps gaps;
  private final Instant now;
  private final SequencedSet<Gap> missed = new LinkedHashSet<>();

  Asking(Voices voices, Snapshot objects, Gaps gaps, Instant now) {
    this.voices = voices;
    this.objects = objects;
    this.gaps = gaps;
    this.now = now;
  }

  /// What was looked for in vain, all in all.
  List<Gap> missed() {
    missed.addAll(gaps.take());
    return List.copyOf(missed);
  }

  List<Notice> warnings(Ref subject) {
    return voices.about(subject).stream()
        .flatMap(voice -> voice.steps(subject, objects, now))
        .flatMap(
            step -> step instanceof Settled(var warning, _) ? warning.stream() : Stream.empty())
        .toList();
  }

  /// The first wait that a component has about the object. If it is for the object itself, for a
  /// field that another component fills in, that one's word comes after it. Without a wait, an act.
  List<Link> links(Ref subject) {
    return links(subject, said(subject));
  }

  /// The same, and what is waited for beside it: of several volumes of a pod that component waits
  /// for one by one, and others may have failed for one (XPL-02).
  List<List<Link>> ways(Ref subject) {
    var said = said(subject);
    var first = links(subject, said);
    var ways = new ArrayList<List<Link>>();
    ways.add(first);
    if (subject.resource().equals(Resources.PODS)
        && !first.isEmpty()
        && first.getFirst() instanceof Waits(_, var component, var wait)
        && isAnothers(wait, subject))
      for (var link : said)
        if (!link.equals(first.getFirst()) && isBeside(link, component, subject))
          ways.add(List.of(link));
    return ways;
  }

  private static boolean isBeside(Link link, String component, Ref subject) {
    return link instanceof Fails
        || (link instanceof Waits(_, var other, var wait)
            && other.equals(component)
            && isAnothers(wait, subject));
  }

  private static boolean isAnothers(Wait wait, Ref subject) {
    return !Explainer.identity(wait.on()).equals(Explainer.identity(subject));
  }

  private List<Link> said(Ref subject) {
    var said = new ArrayList<Link>();
    for (var voice : voices.about(subject)) said.addAll(links(voice, subject));
    return said;
  }

  private List<Link> links(Ref subject, List<Link> said) {
    var first = said.stream().filter(Waits.class::isInstance).findFirst();
    if (first.isEmpty())
      return act(said.stream())
          .or(() -> end(subject))
          .or(() -> said.stream().filter(Blind.class::isInstance).findFirst())
          .stream()
          .toList();
    var wait = (Waits) first.get();
    if (isAnothers(wait.step(), subject)) return List.of(wait);
    var later =
        said.subList(said.indexOf(wait) + 1, said.size()).stream()
            .filter(link -> !link.component().equals(wait.component()))
            .toList();
    var second =
        later.stream()
            .filter(Waits.class::isInstance)
            .findFirst()
            .or(() -> act(later.stream().filter(link -> asksOthers(subject, link.component()))));
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private Optional<Link> end(Ref subject) {
    return PodFailures.end(subject, objects)
        .map(end -> new Fails(subject, "node agent", Optional.empty(), end));
  }

  /// What only writes to the API is over before anybody reads of it.
  private boolean asksOthers(Ref subject, String component) {
    return voices.about(subject).stream()
        .anyMatch(it -> it.component().equals(component) && it.asksOthers());
  }

  /// An act that fails tells more than one that is under way.
  private static Optional<Link> act(Stream<Link> links) {
    var acts = links.filter(link -> !(link instanceof Blind)).toList();
    return acts.stream()
        .filter(Fails.class::isInstance)
        .findFirst()
        .or(() -> acts.stream().findFirst());
  }

  /// What one component says, as far as it can see what it decides by.
  private List<Link> links(Voice voice, Ref subject) {
    missed.addAll(gaps.take());
    var steps = voice.steps(subject, objects, now).toList();
    var unseen = gaps.take();
    missed.addAll(unseen);
    var kinds = unseen.stream().filter(Gap::matters).map(Gap::resource).collect(Collectors.toSet());
    return steps.stream()
        .flatMap(step ->
            restsOn(step, kinds) ? blind(voice, subject, unseen) : seen(voice, subject, step))
        .toList();
  }

  private static Stream<Link> blind(Voice voice, Ref subject, Set<Gap> unseen) {
    return Stream.of(
        new Blind(subject, voice.component(), unseen.stream().filter(Gap::matters).toList()));
  }

  /// Whether a step may be another for who sees more. A wait for what is seen is one all the same.
  private static boolean restsOn(Step step, Set<?> kinds) {
    return switch (step) {
      case Settled _ -> false;
      case Wait wait -> kinds.contains(wait.on().resource());
      case Act(_, var then) when then.isPresent() -> kinds.contains(then.get().on().resource());
      case Act _ -> !kinds.isEmpty();
    };
  }

  private Stream<Link> seen(Voice voice, Ref subject, Step step) {
    return switch (step) {
      case Settled _ -> Stream.empty();
      case Wait wait ->
          Stream.of(new Waits(subject, voice.component(), SimilarNames.added(wait, objects)));
      // Another scheduler may have written the same in other words.
      case Act(_, var then) when then.isPresent() ->
          Stream.of(new Waits(subject, voice.component(), SimilarNames.added(then.get(), objects)));
      case Act(var effect, _) ->
          Stream.of(
              voice
                  .failure(subject, objects, now)
                  .<Link>map(
                      last -> new Fails(subject, voice.component(), Optional.of(effect), last))
                  .orElseGet(() -> new Acts(subject, voice.component(), effect)));
    };
  }
}
