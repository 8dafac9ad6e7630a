package dev.berth.explain;

import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Gaps;
import dev.berth.explain.answer.Link;
import dev.berth.explain.answer.Link.Waits;
import dev.berth.explain.answer.Note;
import dev.berth.explain.answer.Report;
import dev.berth.explain.answer.States;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Asks the components what they would do about an object, follows what they wait for, and so finds
/// what blocks (XPL-02).
public final class Explainer {
  /// States of a claim for which there is no volume.
  private static final Set<String> WITHOUT_VOLUME = Set.of("C01", "C02", "C03", "P18");

  private final Voices voices;
  private final Snapshot objects;
  private final Gaps gaps;

  /// Over objects all of which may be seen.
  public Explainer(Snapshot objects) {
    this(objects, Gaps.NONE);
  }

  public Explainer(Reading objects) {
    this(objects, objects);
  }

  private Explainer(Snapshot objects, Gaps gaps) {
    this.voices = new Voices(objects);
    this.objects = objects;
    this.gaps = gaps;
  }

  public Explanation explain(Ref subject, Instant now) {
    var asking = new Asking(voices, objects, gaps, now);
    var chain = chain(subject, asking);
    var details = new StateDetails(objects, now);
    var states = chain.stream().map(details::of).toList();
    var bounded =
        IntStream.range(0, chain.size())
            .mapToObj(i -> Bounds.of(chain.get(i), states.get(i)))
            .toList();
    var warnings =
        Stream.concat(Stream.of(subject), volumes(subject, objects))
            .flatMap(ref -> asking.warnings(ref).stream())
            .distinct()
            .toList();
    var reports =
        isBlind(chain) ? Report.about(chain.getLast().subject(), objects) : List.<Report>of();
    return new Explanation(
        subject,
        bounded,
        states,
        new LifeCycle(objects).row(subject),
        near(subject, chain, now),
        others(subject, chain, now),
        warnings,
        Note.about(subject, objects, now),
        asking.missed(),
        reports,
        now);
  }

  private List<Link> chain(Ref subject, Asking asking) {
    var chain = new ArrayList<Link>();
    Set<Object> told = new HashSet<>();
    var next = Optional.of(subject);
    while (next.isPresent() && told.add(identity(next.get()))) {
      var links = asking.links(next.get()).stream().filter(link -> isNews(link, chain)).toList();
      chain.addAll(links);
      next = links.isEmpty() ? Optional.empty() : follow(links.getLast(), objects);
    }
    return isBlind(chain) && Health.isProved(subject, objects) ? List.of() : outOfCircle(chain);
  }

  private List<String> near(Ref subject, List<Link> chain, Instant now) {
    var volumes = near(chain);
    return volumes.isEmpty() && isRefusedByNodes(subject, chain)
        ? NearNodes.of(subject, objects, now)
        : volumes;
  }

  /// Whether the scheduler has the last word, and it is about nodes.
  private static boolean isRefusedByNodes(Ref subject, List<Link> chain) {
    return subject.resource().equals(Resources.PODS)
        && !chain.isEmpty()
        && chain.getLast() instanceof Waits(var last, var component, _)
        && component.equals("scheduler")
        && identity(last).equals(identity(subject));
  }

  /// Volumes that a claim almost got, if none that it waits for is named.
  private List<String> near(List<Link> chain) {
    if (chain.isEmpty() || !(chain.getLast() instanceof Waits(var last, _, var wait)))
      return List.of();
    return Stream.of(last, wait.on())
        .filter(ref -> WITHOUT_VOLUME.contains(States.of(chain.getLast())))
        .flatMap(ref -> NearMisses.of(ref, objects).stream())
        .map(NearMisses.NearMiss::sentence)
        .distinct()
        .toList();
  }

  /// The other claims of a pod, as far as they wait for something else.
  private List<Explanation> others(Ref subject, List<Link> chain, Instant now) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> !pod.finished() && !pod.meta().deleting())
        .flatMap(pod -> PodClaim.of(pod).stream())
        .map(used -> Kinds.CLAIM.ref(used.key()))
        .filter(claim -> !isTold(claim, chain))
        .distinct()
        .filter(claim -> objects.get(Kinds.CLAIM, claim.key()).found().isPresent())
        .map(claim -> explain(claim, now))
        .filter(it -> !it.chain().isEmpty() && !endsAlike(it.chain(), chain))
        .filter(it -> !(it.chain().getLast() instanceof Link.Acts)) // that one is under way
        .toList();
  }

  private static boolean isTold(Ref ref, List<Link> chain) {
    return chain.stream()
        .anyMatch(link ->
            identity(link.subject()).equals(identity(ref))
                || link instanceof Waits(_, _, var wait)
                    && identity(wait.on()).equals(identity(ref)));
  }

  private static boolean endsAlike(List<Link> one, List<Link> other) {
    if (other.isEmpty()) return false;
    if (one.getLast() instanceof Waits(_, _, var wait)
        && other.getLast() instanceof Waits(_, _, var then))
      return identity(wait.on()).equals(identity(then.on())) && wait.until().equals(then.until());
    return identity(one.getLast().subject()).equals(identity(other.getLast().subject()));
  }

  private static boolean isBlind(List<Link> chain) {
    return !chain.isEmpty() && chain.getLast() instanceof Link.Blind;
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

  /// Those that it brings along.
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
  static Object identity(Ref ref) {
    return List.of(ref.resource(), ref.key());
  }

  /// Of an attachment that is in the way, on a node that does not answer: the pod there that is on
  /// its way out; if there is no pod, whoever has to take it off.
  private static Optional<Ref> holder(Ref ref, Snapshot objects) {
    return ref.as(Kinds.ATTACHMENT)
        .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
        .filter(attachment ->
            objects
                .get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName()))
                .found()
                .filter(Node::ready)
                .isEmpty())
        .flatMap(attachment -> {
          var users = Holders.of(attachment, objects);
          return users.stream().anyMatch(pod -> !pod.meta().deleting())
              ? Stream.empty()
              : Stream.of(users.isEmpty() ? ref : users.getFirst().ref());
        })
        .findFirst();
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
    return untilItGoes ? holder(wait.on(), objects) : Optional.of(wait.on());
  }
}
