package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Users;
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
      case "A15" -> multiAttach(((Link.Waits) link).step().on());
      case "A05", "A04" -> attachment(link, state);
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
      case "N01", "T06" -> agent(subject, state);
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
    if (attachment.meta().deleting()) return "X03";
    var begun = attachment.meta().finalizers().contains(Finalizers.attacher(attachment.attacher()));
    return begun && state.equals("A05") ? "A05" : "A04";
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
