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
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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

  private static final Comparator<Explanation> WORST_FIRST =
      Comparator.comparing(Explanation::own).reversed();

  private final Voices voices;
  private final Snapshot objects;
  private final Gaps gaps;
  private final Chains chains;

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
    this.chains = new Chains(objects);
  }

  /// Of several things that a pod waits for, what blocks most comes first (XPL-02).
  public Explanation explain(Ref subject, Instant now) {
    var asking = new Asking(voices, objects, gaps, now);
    var told = new ArrayList<Explanation>();
    for (var chain : chains.of(subject, asking))
      if (told.isEmpty()
          || (!chain.isEmpty() && told.stream().noneMatch(it -> endsAlike(it.chain(), chain))))
        told.add(explanation(subject, chain, now));
    var own = told.getFirst();
    var claims = ofClaims(subject, told, now);
    var first = first(told, claims);
    told.addAll(claims);
    told.removeIf(it -> it.equals(first) || it.chain().isEmpty());
    told.sort(WORST_FIRST);
    var warnings =
        Stream.concat(Stream.of(subject), volumes(subject, objects))
            .flatMap(ref -> asking.warnings(ref).stream())
            .distinct()
            .toList();
    return leading(subject, first)
        .of(
            subject,
            own.stage(),
            told,
            warnings,
            Note.about(subject, objects, now),
            asking.missed());
  }

  /// What holds it up most; of equals what was told first. A claim that is bound holds up no pod,
  /// whatever it waits for itself.
  private Explanation first(List<Explanation> told, List<Explanation> claims) {
    return Stream.concat(
            told.stream(),
            claims.stream()
                .filter(it ->
                    objects
                        .get(Kinds.CLAIM, it.subject().key())
                        .found()
                        .filter(claim -> !claim.fullyBound())
                        .isPresent()))
        .min(WORST_FIRST)
        .orElseThrow();
  }

  /// Of a pod without a node, how it comes to what its claim waits for.
  private Explanation leading(Ref subject, Explanation first) {
    if (first.subject().equals(subject)) return first;
    return objects
        .get(Kinds.POD, subject.key())
        .found()
        .filter(pod -> pod.nodeName().isEmpty())
        .flatMap(_ -> objects.get(Kinds.CLAIM, first.subject().key()).found())
        .map(claim ->
            first.after(
                new Waits(
                    subject,
                    "scheduler",
                    Wait.on(claim.ref(), "spec.volumeName")
                        .since(claim.meta().created())
                        .until("claim " + claim.meta().key() + " is bound")),
                "P06"))
        .orElse(first);
  }

  /// What one chain tells.
  private Explanation explanation(Ref subject, List<Link> chain, Instant now) {
    var details = new StateDetails(objects, now);
    var states = chain.stream().map(details::of).toList();
    var bounded =
        IntStream.range(0, chain.size())
            .mapToObj(i -> Bounds.of(chain.get(i), states.get(i)))
            .toList();
    var reports =
        Chains.isBlind(chain)
            ? Report.about(chain.getLast().subject(), objects)
            : List.<Report>of();
    return new Explanation(
        subject,
        bounded,
        states,
        new LifeCycle(objects).row(subject),
        near(subject, chain, now),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        reports,
        now);
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

  /// Of the other claims of a pod, as far as they wait for something else.
  private List<Explanation> ofClaims(Ref subject, List<Explanation> told, Instant now) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> !pod.finished() && !pod.meta().deleting())
        .flatMap(pod ->
            PodClaim.of(pod).stream()
                .map(used -> Kinds.CLAIM.ref(used.key()))
                .distinct()
                .filter(claim -> told.stream().noneMatch(it -> isTold(claim, it.chain())))
                .flatMap(claim -> objects.get(Kinds.CLAIM, claim.key()).found().stream())
                .flatMap(claim -> ofClaim(claim, told, now).stream()))
        .toList();
  }

  private Optional<Explanation> ofClaim(Claim claim, List<Explanation> told, Instant now) {
    return Optional.of(explain(Kinds.CLAIM.ref(claim.meta().key()), now))
        .filter(it -> !it.chain().isEmpty())
        .filter(it -> told.stream().noneMatch(one -> endsAlike(it.chain(), one.chain())))
        .filter(it -> !(it.chain().getLast() instanceof Link.Acts)); // that one is under way
  }

  private static boolean isTold(Ref ref, List<Link> chain) {
    return chain.stream()
        .anyMatch(link ->
            identity(link.subject()).equals(identity(ref))
                || link instanceof Waits(_, _, var wait)
                    && identity(wait.on()).equals(identity(ref)));
  }

  private static boolean endsAlike(List<Link> one, List<Link> other) {
    if (one.isEmpty() || other.isEmpty()) return false;
    if (one.getLast() instanceof Waits(_, _, var wait)
        && other.getLast() instanceof Waits(_, _, var then))
      return identity(wait.on()).equals(identity(then.on())) && wait.until().equals(then.until());
    return identity(one.getLast().subject()).equals(identity(other.getLast().subject()));
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

  /// A reference with and without the uid means the same object here.
  static Object identity(Ref ref) {
    return List.of(ref.resource(), ref.key());
  }
}
