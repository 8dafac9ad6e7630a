package dev.berth.cli.journey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.volume.PodClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Turns what the API server shows into the edges of the life of some pods and their claims. Sees
/// each object as often as it likes; tells each edge once.
public final class Journey {
  private final Set<ObjectKey> pods;
  private final Set<ObjectKey> claims;
  private final Set<String> volumes = new HashSet<>();
  private final Set<String> told = new HashSet<>();
  private final Map<String, Duration> last = new HashMap<>();
  private final Map<ObjectKey, Integer> exitCodes = new TreeMap<>();

  /// @param pods whose ends end the journey
  /// @param claims shown beside the claims that the pods use
  public Journey(Collection<ObjectKey> pods, Collection<ObjectKey> claims) {
    this.pods = Set.copyOf(pods);
    this.claims = new HashSet<>(claims);
  }

  /// Notes what was there before the start: its edges so far are not told.
  public synchronized void before(Resource resource, ObjectNode object) {
    var _ = seen(resource, object, Duration.ZERO);
    last.clear(); // when it happened is not known
  }

  /// @param at since the start
  public synchronized List<Edge> seen(Resource resource, ObjectNode object, Duration at) {
    var edges = new ArrayList<Edge>();
    if (resource.equals(Resources.PODS)) pod(Kinds.POD.read().apply(object), at, edges);
    else if (resource.equals(Resources.CLAIMS)) claim(Kinds.CLAIM.read().apply(object), at, edges);
    else if (resource.equals(Resources.VOLUMES))
      volume(Kinds.VOLUME.read().apply(object), at, edges);
    else if (resource.equals(Resources.ATTACHMENTS))
      attachment(Kinds.ATTACHMENT.read().apply(object), at, edges);
    else if (resource.equals(Resources.EVENTS)) event(object, at, edges);
    return edges;
  }

  /// Whether all pods have ended.
  public synchronized boolean ended() {
    return exitCodes.size() == pods.size();
  }

  /// 0 if all ended well, otherwise the first bad exit code in the order of the pods' names.
  public synchronized int exitCode() {
    return exitCodes.values().stream().filter(code -> code != 0).findFirst().orElse(0);
  }

  private void claim(Claim claim, Duration at, List<Edge> edges) {
    if (!claims.contains(claim.meta().key())) return;
    var title = "pvc/" + claim.meta().name();
    tell(claim.meta(), title, "Pending", at, edges);
    claim
        .selectedNode()
        .ifPresent(node -> tell(claim.meta(), title, "node selected: " + node, at, edges));
    if (claim.phase() == Claim.Phase.BOUND) {
      volumes.add(claim.volumeName());
      tell(claim.meta(), title, "Bound to " + claim.volumeName(), at, edges);
    }
    if (claim.phase() == Claim.Phase.LOST) tell(claim.meta(), title, "Lost", at, edges);
  }

  private void volume(Volume volume, Duration at, List<Edge> edges) {
    var owner = volume.claim().map(Volume.ClaimRef::key).filter(claims::contains);
    if (owner.isEmpty()) return;
    volumes.add(volume.meta().name());
    tell(
        volume.meta(),
        "pvc/" + owner.get().name(),
        "volume created: " + volume.meta().name() + ", " + volume.capacity(),
        at,
        edges);
  }

  private void attachment(Attachment attachment, Duration at, List<Edge> edges) {
    if (!volumes.contains(attachment.volumeName()) || !attachment.attached()) return;
    tell(
        attachment.meta(),
        "pv/" + attachment.volumeName(),
        "attached to " + attachment.nodeName(),
        at,
        edges);
  }

  private void event(JsonNode event, Duration at, List<Edge> edges) {
    var about = event.path("involvedObject");
    var key = ObjectKey.of(Json.text(about, "namespace"), Json.text(about, "name"));
    boolean ofPod = Json.text(about, "kind").equals(Resources.PODS.kind());
    boolean ofClaim = Json.text(about, "kind").equals(Resources.CLAIMS.kind());
    if (!(ofPod && pods.contains(key)) && !(ofClaim && claims.contains(key))) return;
    var title = (ofPod ? "pod/" : "pvc/") + key.name();
    var text = Json.text(event, "message");
    switch (Json.text(event, "reason")) {
      case Reasons.VOLUME_STAGED, Reasons.VOLUME_PUBLISHED ->
          tell(Meta.of(event), title, text, at, edges);
      case String _ -> {
        if (Json.text(event, "type").equals("Warning"))
          tell(Meta.of(event), title, text, at, edges);
      }
    }
  }

  private void pod(Pod pod, Duration at, List<Edge> edges) {
    if (!pods.contains(pod.meta().key())) return;
    var title = "pod/" + pod.meta().name();
    PodClaim.of(pod).forEach(used -> claims.add(used.key()));
    tell(pod.meta(), title, "Pending", at, edges);
    if (!pod.nodeName().isEmpty())
      tell(pod.meta(), title, "scheduled to " + pod.nodeName(), at, edges);
    if (pod.phase() == Pod.Phase.RUNNING || pod.finished())
      if (pod.phase() == Pod.Phase.RUNNING || started(pod))
        tell(pod.meta(), title, "Running", at, edges);
    if (!pod.finished()) return;
    boolean well = pod.phase() == Pod.Phase.SUCCEEDED;
    int code = well ? 0 : exitCode(pod);
    exitCodes.put(pod.meta().key(), code);
    tell(
        pod.meta(),
        title,
        well ? "Succeeded" : "Failed with exit code " + code,
        at,
        edges,
        Optional.of(well ? Edge.End.GOOD : Edge.End.BAD));
  }

  private static boolean started(Pod pod) {
    return pod.status()
        .path("containerStatuses")
        .valueStream()
        .anyMatch(status -> status.path("state").has("terminated"));
  }

  private static int exitCode(Pod pod) {
    for (var field : List.of("initContainerStatuses", "containerStatuses"))
      for (var status : pod.status().path(field)) {
        int code = status.path("state").path("terminated").path("exitCode").asInt();
        if (code != 0) return code;
      }
    return 1; // refused before any container ran
  }

  private void tell(Meta meta, String title, String text, Duration at, List<Edge> edges) {
    tell(meta, title, text, at, edges, Optional.empty());
  }

  private void tell(
      Meta meta, String title, String text, Duration at, List<Edge> edges, Optional<Edge.End> end) {
    if (!told.add(meta.uid() + text)) return;
    var took = Optional.ofNullable(last.put(title, at)).map(at::minus);
    edges.add(new Edge(at, title, text, took, end));
  }
}
