package dev.berth.explain;

import dev.berth.explain.answer.Link;
import dev.berth.explain.answer.States;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Translation;
import dev.berth.volume.Users;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The state of a link where other objects than those that it names tell states apart.
final class StateDetails {
  private static final Duration LATE_TO_DIE = Duration.ofSeconds(30);
  private static final Set<String> COPIES =
      Set.of(Finalizers.CLONING, "snapshot.storage.kubernetes.io/pvc-as-source-protection");

  private final Snapshot objects;
  private final Instant now;

  StateDetails(Snapshot objects, Instant now) {
    this.objects = objects;
    this.now = now;
  }

  String of(Link link) {
    var state = States.of(link);
    var subject = link.subject();
    return switch (state) {
      case "P06" ->
          ofClaim(((Link.Waits) link).step().on())
              .filter(this::isPreBound)
              .map(_ -> "P07")
              .orElse(state);
      case "P10" ->
          link instanceof Link.Waits(_, _, var wait)
                  && wait.until().startsWith("its volumes can be")
              ? "P23"
              : state;
      case "A15" -> multiAttach(((Link.Waits) link).step().on());
      case "A05", "A04" -> inUse(link, attachment(link, state));
      case "A03", "A06" -> inUse(link, state);
      case "A17" -> inUse(link, state);
      case "A02" -> pod(subject).filter(this::attachesItself).map(_ -> "A01").orElse(state);
      case "L10" -> pod(subject).filter(StateDetails::isUnseen).map(_ -> "A18").orElse(state);
      case "X01", "X02" ->
          attachment(subject).filter(this::isNotNeeded).map(_ -> "A21").orElse(state);
      case "D07" ->
          volume(subject).filter(it -> it.meta().deleting()).map(_ -> "D12").orElse(state);
      case "R04" ->
          ofClaim(subject)
              .flatMap(it -> it.condition(ClaimCondition.NODE_RESIZE_ERROR))
              .filter(ClaimCondition::isTrue)
              .map(_ -> "R05")
              .orElse(state);
      case "C05" -> ofClaim(subject).filter(this::onlyFinishedUse).map(_ -> "C22").orElse(state);
      case "C03" -> ofClaim(subject).filter(this::someAreFree).map(_ -> "C04").orElse(state);
      case "C14" ->
          ofClaim(subject)
              .filter(claim -> claim.phase() != Claim.Phase.LOST)
              .map(_ -> "C13")
              .orElse(state);
      case "D01" ->
          link instanceof Link.Waits(_, _, var wait)
                  && wait.outlook() instanceof Outlook.Endangers
                  && runs(wait.on())
              ? "R10"
              : state;
      case "D03" -> ofClaim(subject).map(StateDetails::held).orElse(state);
      case "D11" -> volumeIsBound(subject) ? "R11" : state;
      case "T01" ->
          pod(subject).flatMap(pod -> pod.meta().deleted()).filter(this::isLate).isPresent()
              ? "T02"
              : state;
      case "T07" ->
          pod(subject).filter(it -> !it.nodeName().isEmpty()).map(_ -> "T06").orElse(state);
      case "N01", "T06" -> agent(subject, state);
      case "N14" -> pod(subject).filter(it -> it.meta().deleting()).map(_ -> "T04").orElse(state);
      case String _ -> state;
    };
  }

  private boolean isLate(Instant end) {
    return now.isAfter(end.plus(LATE_TO_DIE));
  }

  /// Who has the volume on the other node.
  private String multiAttach(Ref on) {
    var attachment = attachment(on);
    var users = attachment.stream().flatMap(it -> Holders.of(it, objects).stream()).toList();
    if (users.stream().anyMatch(pod -> !pod.meta().deleting())) return "A13";
    if (!users.isEmpty()) return "A14";
    return attachment.filter(it -> !it.attached() && !it.meta().deleting()).isPresent()
        ? "A16"
        : "A15";
  }

  /// Whether the attacher has begun, and which way.
  private String attachment(Link link, String state) {
    var named = link instanceof Link.Waits(_, _, var wait) ? wait.on() : link.subject();
    var found = attachment(named).or(() -> attachment(link.subject()));
    if (found.isEmpty()) return state;
    var attachment = found.get();
    if (attachment.meta().deleting())
      return link instanceof Link.Waits(_, _, var wait)
              && wait.on().resource().equals(Resources.CSI_DRIVERS)
          ? "X08"
          : "X03";
    var begun = attachment.meta().finalizers().contains(Finalizers.attacher(attachment.attacher()));
    if (!begun && link instanceof Link.Waits && isNotServed(attachment)) return "A12";
    return begun && state.equals("A05") ? "A05" : "A04";
  }

  /// What a running pod has had and lost (R14); what one volume is attached for under another's
  /// name (A19).
  private String inUse(Link link, String state) {
    var pod = pod(link.subject());
    if (pod.isPresent()
        && pod.get().phase() == Pod.Phase.RUNNING
        && !pod.get().meta().deleting()
        && !state.startsWith("X")) return "R14";
    return link instanceof Link.Waits(_, _, var wait)
            && pod.isPresent()
            && attachment(wait.on()).filter(it -> isAnothers(it, pod.get())).isPresent()
        ? "A19"
        : state;
  }

  /// Whether it was made for another PersistentVolume of the same handle.
  private boolean isAnothers(Attachment attachment, Pod pod) {
    return new Ways(objects, Translation.NONE)
        .ofClaims(pod)
        .flatMap(way -> way instanceof Way.Arrived it ? Stream.of(it) : Stream.empty())
        .filter(it -> it.name().attachment(attachment.nodeName()).equals(attachment.meta().name()))
        .anyMatch(it -> !it.volume().meta().name().equals(attachment.volumeName()));
  }

  /// A driver on nodes that nothing says attaches.
  private boolean isNotServed(Attachment attachment) {
    return objects.get(Kinds.CSI_DRIVER, ObjectKey.cluster(attachment.attacher())).found().isEmpty()
        && objects.all(Kinds.CSI_NODE).stream()
            .anyMatch(node -> node.driver(attachment.attacher()).isPresent());
  }

  /// An attachment of a driver that attaches nothing any more.
  private boolean isNotNeeded(Attachment attachment) {
    return objects
        .get(Kinds.CSI_DRIVER, ObjectKey.cluster(attachment.attacher()))
        .found()
        .filter(driver -> !driver.attachRequired())
        .isPresent();
  }

  /// Whether its node's agent attaches, as no controller does (A01).
  private boolean attachesItself(Pod pod) {
    return objects
            .get(Kinds.NODE, ObjectKey.cluster(pod.nodeName()))
            .found()
            .filter(node -> !node.managed())
            .isPresent()
        && new Ways(objects, Translation.NONE)
            .ofClaims(pod)
            .flatMap(way -> way instanceof Way.Arrived it ? Stream.of(it.name()) : Stream.empty())
            .noneMatch(name ->
                objects
                    .get(Kinds.ATTACHMENT, ObjectKey.cluster(name.attachment(pod.nodeName())))
                    .found()
                    .isPresent());
  }

  /// Its node's agent has not even said that it begins.
  private static boolean isUnseen(Pod pod) {
    return !pod.status().hasNonNull("startTime")
        && pod.status().path("containerStatuses").isEmpty();
  }

  /// A claim that waits for its first consumer, and names its volume itself.
  private boolean isPreBound(Claim claim) {
    return !claim.volumeName().isEmpty()
        && claim
            .className()
            .flatMap(name -> objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).found())
            .filter(StorageClass::waitsForFirstConsumer)
            .isPresent();
  }

  private Optional<Volume> volume(Ref ref) {
    return first(ref.as(Kinds.VOLUME).map(key -> objects.get(Kinds.VOLUME, key).found()));
  }

  private String agent(Ref subject, String state) {
    boolean deleting = pod(subject).map(Pod::meta).filter(Meta::deleting).isPresent();
    if (state.equals("N01")) return deleting ? "T03" : state;
    return deleting ? state : "N01";
  }

  private boolean onlyFinishedUse(Claim claim) {
    var users = new Users(objects).naming(claim.meta().key());
    return !users.isEmpty() && users.stream().allMatch(Pod::finished);
  }

  /// Volumes of its class that nobody has, and that yet do not fit.
  private boolean someAreFree(Claim claim) {
    return !NearMisses.of(claim, objects).isEmpty();
  }

  private static String held(Claim claim) {
    var finalizers = claim.meta().finalizers();
    if (finalizers.stream().anyMatch(COPIES::contains)) return "D02";
    return finalizers.stream().allMatch(Finalizers.PVC_PROTECTION::equals) ? "D04" : "D03";
  }

  private boolean runs(Ref on) {
    return pod(on).filter(pod -> !pod.finished() && !pod.nodeName().isEmpty()).isPresent();
  }

  private boolean volumeIsBound(Ref subject) {
    return subject
        .as(Kinds.VOLUME)
        .flatMap(key -> objects.get(Kinds.VOLUME, key).found().stream())
        .flatMap(new Users(objects)::of)
        .anyMatch(pod -> !pod.finished() && !pod.nodeName().isEmpty());
  }

  private Optional<Pod> pod(Ref ref) {
    return first(ref.as(Kinds.POD).map(key -> objects.get(Kinds.POD, key).found()));
  }

  private Optional<Claim> ofClaim(Ref ref) {
    return first(ref.as(Kinds.CLAIM).map(key -> objects.get(Kinds.CLAIM, key).found()));
  }

  private Optional<Attachment> attachment(Ref ref) {
    return first(ref.as(Kinds.ATTACHMENT).map(key -> objects.get(Kinds.ATTACHMENT, key).found()));
  }

  private static <T> Optional<T> first(Stream<Optional<T>> found) {
    return found.flatMap(Optional::stream).findFirst();
  }
}
