package dev.berth.node.identity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.node.plugin.Plugin;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.runtime.Images;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Carries out what [IdentityDecision] asks for.
public final class IdentityEffects implements Effects<IdentityEffect> {
  private static final JsonNodeFactory json = JsonNodeFactory.instance;

  /// What a condition of the node says.
  private record Condition(String type, String status, String reason, String message) {}

  private static final Condition NOT_YET =
      new Condition("Ready", "False", "KubeletNotReady", "CSINode is not yet initialized");

  private static final Condition READY =
      new Condition("Ready", "True", "KubeletReady", "berth's node agent is posting ready status");

  /// Pods are not evicted, so the machine is never said to be short of anything.
  private static final List<Condition> AT_EASE =
      List.of(
          new Condition(
              "MemoryPressure",
              "False",
              "KubeletHasSufficientMemory",
              "kubelet has sufficient memory available"),
          new Condition(
              "DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
          new Condition(
              "PIDPressure",
              "False",
              "KubeletHasSufficientPID",
              "kubelet has sufficient PID available"));

  /// NCSN-02: their volumes are served by CSI drivers, wherever there are such volumes.
  private static final String MIGRATED =
      "kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/azure-file,kubernetes.io/cinder,"
          + "kubernetes.io/gce-pd,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume";

  private static final int MOST_IMAGES = 50;
  private static final int MOST_NAMES = 5;
  private static final String ENDPOINTS = "daemonEndpoints";

  private final Api api;
  private final NodeFacts facts;
  private final PluginRegistrations registrations;
  private final Supplier<Instant> now;
  private final Told<Images> reported = new Told<>(NodeIdentity.REPORTED);
  private final Told<Boolean> introduced = new Told<>(NodeIdentity.INTRODUCED, false);

  /// @param now the clock for the time stamps of conditions
  public IdentityEffects(
      Api api, NodeFacts facts, PluginRegistrations registrations, Supplier<Instant> now) {
    this.api = api;
    this.facts = facts;
    this.registrations = registrations;
    this.now = now;
  }

  @Override
  public void carryOut(IdentityEffect effect) {
    switch (effect) {
      case IdentityEffect.CreateNode _ -> createNode();
      case IdentityEffect.ReportReady _ -> reportReady();
      case IdentityEffect.ReportImages(var images) -> reportImages(images);
      case IdentityEffect.CreateCsiNode(var owner) -> createCsiNode(owner);
      case IdentityEffect.DeleteCsiNode(var stale) ->
          api.delete(Resources.CSI_NODES, stale.key(), DeleteOptions.uid(stale.uid()));
      case IdentityEffect.LabelNode(var driver) -> labelNode(driver);
      case IdentityEffect.EnterDriver(var driver) -> enter(driver);
      case IdentityEffect.StrikeDriver(var driver) -> strike(driver);
      case IdentityEffect.ForgetNodeId(var driver) -> forget(driver);
      case IdentityEffect.Confirm(var driver) -> registrations.answer(driver, "");
      case IdentityEffect.AskAgain(var driver) -> registrations.ask(driver);
      case IdentityEffect.Refuse(var driver, var why) -> registrations.answer(driver, why);
    }
  }

  /// Whether this agent has told who it is.
  public Source<Boolean> source() {
    return introduced;
  }

  /// Which images the Node was told of.
  public Source<Images> reported() {
    return reported;
  }

  private ObjectKey key() {
    return ObjectKey.cluster(facts.name());
  }

  private void createNode() {
    var node = object(Resources.NODES);
    var meta = node.putObject("metadata").put("name", facts.name());
    meta.set("labels", texts(facts.labels()));
    meta.putObject("annotations").put(Annotations.CONTROLLER_MANAGED_ATTACH, "true");
    var spec = node.putObject("spec");
    if (!facts.providerId().isEmpty()) spec.put("providerID", facts.providerId());
    for (var taint : facts.taints())
      spec.withArray("/taints")
          .addObject()
          .put("key", taint.key())
          .put("value", taint.value())
          .put("effect", taint.effect());
    node.set("status", status(NOT_YET)); // NCSN-01: nobody may count on it before its CSINode
    reported.change(_ -> Images.UNKNOWN); // whoever was told was another
    try {
      api.create(Resources.NODES, node);
    } catch (ApiException.LostRace lost) {
      if (!lost.nameTaken()) throw lost;
    }
  }

  /// Labels and status go by two requests: the status subresource of a Node keeps its metadata too,
  /// but not every server agrees.
  private void reportReady() {
    var main = json.objectNode();
    var meta = main.putObject("metadata");
    meta.set("labels", texts(facts.labels()));
    meta.putObject("annotations").put(Annotations.CONTROLLER_MANAGED_ATTACH, "true");
    api.patch(Resources.NODES, key(), Patch.strategic(main));
    var status = json.objectNode();
    var told = status(READY);
    if (!told.has(ENDPOINTS)) told.putNull(ENDPOINTS); // an earlier agent had perhaps a server
    status.set("status", told);
    api.patchStatus(Resources.NODES, key(), Patch.strategic(status));
    introduced.change(_ -> true);
  }

  /// The largest of them, as many as a kubelet tells of.
  private void reportImages(Images images) {
    var status = json.objectNode();
    var list = status.putObject("status").putArray("images");
    images.all().stream()
        .sorted(Comparator.comparingLong(Images.Image::bytes).reversed())
        .limit(MOST_IMAGES)
        .forEach(image -> {
          var entry = list.addObject().put("sizeBytes", image.bytes());
          var names = entry.putArray("names");
          image.names().stream().limit(MOST_NAMES).forEach(names::add);
        });
    api.patchStatus(Resources.NODES, key(), Patch.merge(status));
    reported.change(_ -> images);
  }

  private ObjectNode status(Condition ready) {
    var status = json.objectNode();
    status.set("capacity", texts(facts.capacity()));
    status.set("allocatable", texts(facts.capacity()));
    status.set("nodeInfo", texts(facts.info()));
    var addresses = status.putArray("addresses");
    addresses
        .addObject()
        .put("type", "InternalIP")
        .put("address", facts.address().getHostAddress());
    addresses.addObject().put("type", "Hostname").put("address", facts.name());
    if (facts.serverPort() > 0)
      status.putObject(ENDPOINTS).putObject("kubeletEndpoint").put("Port", facts.serverPort());
    var conditions = status.putArray("conditions");
    AT_EASE.forEach(each -> conditions.add(object(each)));
    conditions.add(object(ready));
    return status;
  }

  private ObjectNode object(Condition condition) {
    var time = now.get().truncatedTo(ChronoUnit.SECONDS).toString();
    return json.objectNode()
        .put("type", condition.type())
        .put("status", condition.status())
        .put("reason", condition.reason())
        .put("message", condition.message())
        .put("lastHeartbeatTime", time)
        .put("lastTransitionTime", time);
  }

  private void createCsiNode(Ref owner) {
    var csiNode = object(Resources.CSI_NODES);
    var meta = csiNode.putObject("metadata").put("name", facts.name());
    meta.putObject("annotations").put(Annotations.MIGRATED_PLUGINS, MIGRATED);
    meta.putArray("ownerReferences")
        .addObject()
        .put("apiVersion", Resources.NODES.apiVersion())
        .put("kind", Resources.NODES.kind())
        .put("name", owner.key().name())
        .put("uid", owner.uid());
    csiNode.putObject("spec").putArray("drivers");
    api.create(Resources.CSI_NODES, csiNode);
  }

  private void labelNode(Plugin driver) {
    var ids = nodeIds();
    ids.put(driver.name(), driver.nodeId());
    var patch = json.objectNode();
    var meta = patch.putObject("metadata");
    meta.set("labels", texts(driver.topology()));
    meta.putObject("annotations").put(Annotations.CSI_NODE_ID, NodeIds.text(ids));
    api.patch(Resources.NODES, key(), Patch.strategic(patch));
  }

  private void forget(String driver) {
    var ids = nodeIds();
    ids.remove(driver);
    var patch = json.objectNode();
    var annotations = patch.putObject("metadata").putObject("annotations");
    if (ids.isEmpty()) annotations.putNull(Annotations.CSI_NODE_ID);
    else annotations.put(Annotations.CSI_NODE_ID, NodeIds.text(ids));
    api.patch(Resources.NODES, key(), Patch.strategic(patch));
  }

  /// Read live: the annotation holds all drivers, and a stale copy would drop one. Only this agent
  /// writes it, one effect at a time.
  private Map<String, String> nodeIds() {
    var annotations = api.get(Resources.NODES, key()).path("metadata").path("annotations");
    return new TreeMap<>(NodeIds.parse(Json.text(annotations, Annotations.CSI_NODE_ID)));
  }

  /// The driver's old entry goes, its new one stands at the end (NCSN-06). A conflict is tried
  /// again by the loop, from a fresh read (NCSN-07).
  private void enter(Plugin driver) {
    var entry = IdentityDecision.entry(driver);
    var object = json.objectNode();
    object.put("name", entry.name()).put("nodeID", entry.nodeId());
    var keys = object.putArray("topologyKeys");
    entry.topologyKeys().forEach(keys::add);
    entry.maxVolumes().ifPresent(count -> object.putObject("allocatable").put("count", count));
    var csiNode = api.get(Resources.CSI_NODES, key()).deepCopy();
    without(csiNode, driver.name()).add(object);
    api.update(Resources.CSI_NODES, csiNode);
  }

  private void strike(String driver) {
    var csiNode = api.get(Resources.CSI_NODES, key()).deepCopy();
    without(csiNode, driver);
    api.update(Resources.CSI_NODES, csiNode);
  }

  private static ArrayNode without(ObjectNode csiNode, String driver) {
    var entries = csiNode.withObject("/spec").withArray("/drivers");
    for (int index = entries.size() - 1; index >= 0; index--)
      if (Json.text(entries.get(index), "name").equals(driver)) entries.remove(index);
    return entries;
  }

  private static ObjectNode object(Resource resource) {
    return json.objectNode().put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
  }

  private static ObjectNode texts(Map<String, String> map) {
    var object = json.objectNode();
    new TreeMap<>(map).forEach(object::put);
    return object;
  }
}
