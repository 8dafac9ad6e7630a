package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Texts;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Labels;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.StoredResources;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Decides what the EndpointSlices of a Service are to say.
record SliceKeeper() implements Decider<ObjectKey, Facts, WorkloadEffect> {
  private static final int LONGEST_PREFIX = 57;

  @Override
  public String name() {
    return "endpointslice";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Service.KIND, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Stream.of(change.before(), change.after())
                    .flatMap(Optional::stream)
                    .flatMap(pod -> Service.before(pod, objects))
                    .distinct()),
        Trigger.on(
            Slice.KIND,
            (change, _) ->
                Stream.of(change.before(), change.after())
                    .flatMap(Optional::stream)
                    .flatMap(slice -> slice.service().stream())
                    .distinct()),
        Trigger.on(
            Kinds.NODE,
            (change, objects) ->
                zone(change.before()).equals(zone(change.after()))
                    ? Stream.empty()
                    : objects.by(Indexes.PODS_BY_NODE, change.latest().meta().name()).stream()
                        .flatMap(pod -> Service.before(pod, objects))
                        .distinct()));
  }

  /// Empty: there is no such node.
  private static Optional<String> zone(Optional<Node> node) {
    return node.map(it -> it.meta().labels().getOrDefault(Labels.ZONE, ""));
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Step decide(Facts facts, ObjectKey key) {
    return switch (facts.get(Service.KIND, key)) {
      case Missing<Service> _ -> new Settled(); // its slices go with it, as it owns them
      case Found<Service>(var service) when service.selector().isEmpty() -> new Settled();
      case Found<Service>(var service) ->
          difference(facts, service).<Step>map(Act::new).orElseGet(Settled::new);
    };
  }

  /// Changes come before what is made, and that before what goes: who reads meanwhile misses
  /// nobody.
  private static Optional<WorkloadEffect> difference(Facts facts, Service service) {
    var slices = Slice.of(service, facts);
    var births = new ArrayList<Birth>();
    var surplus = new ArrayList<Slice>();
    for (var slice : slices) if (!service.families().contains(slice.family())) surplus.add(slice);
    for (var family : service.families()) {
      var own = slices.stream().filter(slice -> slice.family().equals(family)).toList();
      var layout = Layout.of(Endpoint.of(service, family, facts), own);
      for (var page : layout.pages()) {
        if (page.slice().isEmpty()) births.add(birth(facts, service, family, page, births));
        else {
          var change = change(service, page.slice().get(), page);
          if (change.isPresent()) return change;
        }
      }
      surplus.addAll(layout.surplus());
    }
    // One made now could come after the garbage collector, which takes them with the Service.
    if (!births.isEmpty() && !service.meta().deleting()) return Optional.of(new Make(births));
    if (surplus.isEmpty()) return Optional.empty();
    return Optional.of(
        new Remove(
            surplus.stream()
                .map(slice -> new Death(slice.ref(), Optional.empty(), Optional.empty()))
                .toList()));
  }

  private static Optional<WorkloadEffect> change(Service service, Slice slice, Layout.Page page) {
    var body = JsonNodeFactory.instance.objectNode();
    var wanted = labels(service);
    if (!wanted.equals(slice.meta().labels())) {
      var labels = body.withObject("/metadata/labels");
      slice.meta().labels().keySet().forEach(labels::putNull);
      wanted.forEach(labels::put);
    }
    if (!same(page.list(), slice.endpoints())) body.set("endpoints", page.list());
    if (!same(page.ports(), slice.ports())) body.set("ports", page.ports());
    if (body.isEmpty()) return Optional.empty();
    return Optional.of(
        new Change(
            StoredResources.ENDPOINT_SLICES, Revision.of(slice.meta()), body, Change.Part.OBJECT));
  }

  private static boolean same(JsonNode wanted, JsonNode there) {
    if (wanted.isEmpty() || there.isEmpty()) return wanted.isEmpty() && there.isEmpty();
    return Texts.canonical(wanted).equals(Texts.canonical(there));
  }

  private static Map<String, String> labels(Service service) {
    var labels = new TreeMap<>(service.meta().labels());
    labels.remove(Labels.HEADLESS);
    if (service.headless()) labels.put(Labels.HEADLESS, "");
    labels.put(Labels.SERVICE_NAME, service.meta().name());
    labels.put(Labels.SLICE_MANAGED_BY, Slice.KEEPER);
    return labels;
  }

  private static Birth birth(
      Snapshot objects, Service service, String family, Layout.Page page, List<Birth> others) {
    var slice = JsonNodeFactory.instance.objectNode();
    var meta = slice.putObject("metadata");
    meta.put("namespace", service.meta().namespace())
        .put("name", name(objects, service, family, others.size()));
    ObjectNode labels = meta.putObject("labels");
    labels(service).forEach(labels::put);
    meta.putArray("ownerReferences")
        .add(
            Owned.reference(
                StoredResources.SERVICES.apiVersion(),
                StoredResources.SERVICES.kind(),
                service.meta()));
    slice.put("addressType", family);
    slice.set("endpoints", page.list());
    slice.set("ports", page.ports());
    return new Birth(
        StoredResources.ENDPOINT_SLICES,
        slice,
        Optional.empty(),
        Optional.of(
            Notice.warning(
                service.ref(),
                Reasons.FAILED_TO_UPDATE_ENDPOINT_SLICES,
                "Error updating Endpoint Slices for Service %s: "
                    .formatted(service.meta().key()))));
  }

  /// One that nobody has. The same at each look at the same objects, so that a second attempt finds
  /// what the first one made.
  ///
  /// @param before how many are made before it in one go
  private static String name(Snapshot objects, Service service, String family, int before) {
    var base = service.meta().name();
    var prefix = base.length() > LONGEST_PREFIX ? base.substring(0, LONGEST_PREFIX) : base;
    int free = -1;
    for (int i = 0; ; i++) {
      var name = prefix + "-" + Texts.word(service.meta().uid() + "/" + family + "/" + i);
      var key = ObjectKey.of(service.meta().namespace(), name);
      if (objects.get(Slice.KIND, key).found().isEmpty() && ++free == before) return name;
    }
  }

  @Override
  public Class<WorkloadEffect> effectType() {
    return WorkloadEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Service.KIND);
  }
}
