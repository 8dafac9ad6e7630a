package dev.berth.explain;

import dev.berth.explain.Link.Acts;
import dev.berth.explain.Link.Fails;
import dev.berth.explain.Link.Waits;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Asks the components what they would do about an object, follows what they wait for, and so finds
/// what blocks (XPL-02).
public final class Explainer {
  private final List<Voice> voices;

  /// @param voices in the order of the life cycle: of two that wait for one object, the first is
  ///   told
  public Explainer(List<Voice> voices) {
    this.voices = List.copyOf(voices);
  }

  public Explanation explain(Ref subject, Snapshot objects, Instant now) {
    var chain = new ArrayList<Link>();
    Set<Object> told = new HashSet<>();
    var next = Optional.of(subject);
    while (next.isPresent() && told.add(identity(next.get()))) {
      var links =
          links(next.get(), objects, now).stream().filter(link -> isNews(link, chain)).toList();
      chain.addAll(links);
      next = links.isEmpty() ? Optional.empty() : follow(links.getLast(), objects);
    }
    return new Explanation(subject, outOfCircle(chain), warnings(subject, objects, now), now);
  }

  /// Where the last link waits for one that was told before, nobody in that circle moves by
  /// himself: the last word has who needs a person.
  private static List<Link> outOfCircle(List<Link> chain) {
    if (chain.isEmpty() || !(chain.getLast() instanceof Waits(var last, _, var wait))) return chain;
    boolean circle =
        !identity(wait.on()).equals(identity(last))
            && chain.stream().anyMatch(it -> identity(it.subject()).equals(identity(wait.on())));
    if (!circle) return chain;
    int end = chain.size();
    while (end > 0 && !needsPerson(chain.get(end - 1))) end--;
    return end == 0 ? chain : chain.subList(0, end);
  }

  private static boolean needsPerson(Link link) {
    return link instanceof Waits(_, _, var wait) && !(wait.outlook() instanceof Outlook.Passes);
  }

  /// Of the object and of the volumes that it brings along.
  private List<Notice> warnings(Ref subject, Snapshot objects, Instant now) {
    return Stream.concat(Stream.of(subject), volumes(subject, objects))
        .flatMap(ref -> voices.stream().flatMap(voice -> voice.steps(ref, objects, now)))
        .flatMap(
            step -> step instanceof Settled(var warning, _) ? warning.stream() : Stream.empty())
        .distinct()
        .toList();
  }

  private static Stream<Ref> volumes(Ref subject, Snapshot objects) {
    if (subject.resource().equals(Resources.PODS))
      return objects.get(Kinds.POD, subject.key()).found().stream()
          .flatMap(new Ways(objects, Translation.NONE)::ofClaims)
          .flatMap(
              way -> way instanceof Way.Named it ? Stream.of(it.volume().ref()) : Stream.empty());
    return Stream.of(subject)
        .filter(it -> it.resource().equals(Resources.CLAIMS))
        .flatMap(it -> objects.get(Kinds.CLAIM, it.key()).found().stream())
        .filter(claim -> !claim.volumeName().isEmpty())
        .map(claim -> Kinds.VOLUME.ref(ObjectKey.cluster(claim.volumeName())));
  }

  /// What the object that waits has said of an object, that object need not say again.
  private static boolean isNews(Link link, List<Link> chain) {
    return chain.stream()
        .noneMatch(told ->
            told instanceof Waits(_, _, var before)
                && link instanceof Waits(_, _, var wait)
                && identity(before.on()).equals(identity(wait.on()))
                && before.until().equals(wait.until()));
  }

  /// A reference with and without the uid means the same object here.
  private static Object identity(Ref ref) {
    return List.of(ref.resource(), ref.key());
  }

  /// Whoever waits for an object to go, or for one that is another's, is not helped by what that
  /// object itself waits for, unless it is on its way out. And where data is at stake the check
  /// comes first: it stays the last word.
  private static Optional<Ref> follow(Link link, Snapshot objects) {
    if (!(link instanceof Waits(_, _, var wait))) return Optional.empty();
    if (wait.outlook() instanceof Outlook.Endangers) return Optional.empty();
    boolean untilItGoes =
        (wait.field().isEmpty() || wait.field().equals("metadata.ownerReferences"))
            && Voices.meta(wait.on(), objects)
                .filter(meta -> !meta.deleting())
                .filter(meta -> !meta.hasAnnotation(Annotations.DETACH_REQUESTED_AT))
                .isPresent();
    return untilItGoes ? Optional.empty() : Optional.of(wait.on());
  }

  /// The first wait that a component has about the object. If it is for the object itself, for a
  /// field that another component fills in, that one's word comes after it. Without a wait, an act.
  private List<Link> links(Ref subject, Snapshot objects, Instant now) {
    var said =
        voices.stream()
            .flatMap(voice ->
                voice
                    .steps(subject, objects, now)
                    .flatMap(step -> link(voice, subject, step, objects, now)))
            .toList();
    var first = said.stream().filter(Waits.class::isInstance).findFirst();
    if (first.isEmpty())
      return act(said.stream())
          .or(() ->
              PodFailures.end(subject, objects)
                  .map(end -> new Fails(subject, "node agent", Optional.empty(), end)))
          .stream()
          .toList();
    var wait = (Waits) first.get();
    if (!identity(wait.step().on()).equals(identity(subject))) return List.of(wait);
    var later =
        said.subList(said.indexOf(wait) + 1, said.size()).stream()
            .filter(link -> !link.component().equals(wait.component()))
            .toList();
    var second =
        later.stream()
            .filter(Waits.class::isInstance)
            .findFirst()
            .or(() -> act(later.stream().filter(link -> asksOthers(link.component()))));
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /// What only writes to the API is over before anybody reads of it.
  private boolean asksOthers(String component) {
    return voices.stream().anyMatch(it -> it.component().equals(component) && it.asksOthers());
  }

  /// An act that fails tells more than one that is under way.
  private static Optional<Link> act(Stream<Link> links) {
    var acts = links.toList();
    return acts.stream()
        .filter(Fails.class::isInstance)
        .findFirst()
        .or(() -> acts.stream().findFirst());
  }

  private static Stream<Link> link(
      Voice voice, Ref subject, Step step, Snapshot objects, Instant now) {
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
