package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.berth.kube.name.Labels;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.StoredResources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Decides what the Endpoints of a Service are to say, for those who do not read slices.
record EndpointsKeeper() implements Decider<ObjectKey, Facts, WorkloadEffect> {
  static final String KEEPER = "endpoint-controller";

  /// The Endpoints of a Service, which have its name.
  record Endpoints(Meta meta, JsonNode subsets) implements KubeObject {
    static final Kind<Endpoints> KIND =
        new Kind<>(
            StoredResources.ENDPOINTS,
            object -> new Endpoints(Meta.of(object), object.path("subsets")));

    private boolean areOurs() {
      return KEEPER.equals(meta.labels().get(Labels.ENDPOINTS_MANAGED_BY));
    }

    private Ref ref() {
      return Ref.of(StoredResources.ENDPOINTS, meta);
    }
  }

  @Override
  public String name() {
    return "endpoints";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Service.KIND, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Endpoints.KIND, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.POD,
            (change, objects) ->
                Stream.of(change.before(), change.after())
                    .flatMap(Optional::stream)
                    .flatMap(pod -> Service.before(pod, objects))
                    .distinct()));
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Step decide(Facts facts, ObjectKey key) {
    var there = facts.get(Endpoints.KIND, key).found();
    return switch (facts.get(Service.KIND, key)) {
      case Missing<Service> _ ->
          there
              .filter(it -> it.areOurs() && !it.meta().deleting())
              .<Step>map(it -> new Act(new Remove(List.of(death(it)))))
              .orElseGet(Settled::new);
      case Found<Service>(var service) when service.selector().isEmpty() -> new Settled();
      case Found<Service>(var service) when there.isEmpty() ->
          new Act(new Make(List.of(birth(facts, service))));
      case Found<Service>(var service) ->
          change(facts, service, there.get()).<Step>map(Act::new).orElseGet(Settled::new);
    };
  }

  private static Death death(Endpoints endpoints) {
    return new Death(endpoints.ref(), Optional.empty(), Optional.empty());
  }

  private static Birth birth(Snapshot objects, Service service) {
    var endpoints = JsonNodeFactory.instance.objectNode();
    var meta = endpoints.putObject("metadata");
    meta.put("namespace", service.meta().namespace()).put("name", service.meta().name());
    ObjectNode labels = meta.putObject("labels");
    labels(service).forEach(labels::put);
    endpoints.set("subsets", Subsets.of(service, objects));
    return new Birth(
        StoredResources.ENDPOINTS,
        endpoints,
        Optional.empty(),
        Optional.of(
            Notice.warning(
                service.ref(),
                Reasons.FAILED_TO_CREATE_ENDPOINT,
                "Failed to create endpoint for service %s: ".formatted(service.meta().key()))));
  }

  private static Optional<WorkloadEffect> change(
      Snapshot objects, Service service, Endpoints there) {
    var body = JsonNodeFactory.instance.objectNode();
    var wanted = labels(service);
    if (!wanted.equals(there.meta.labels())) {
      var labels = body.withObject("/metadata/labels");
      there.meta.labels().keySet().forEach(labels::putNull);
      wanted.forEach(labels::put);
    }
    var subsets = Subsets.of(service, objects);
    boolean none = subsets.isEmpty() && there.subsets.isEmpty();
    if (!none && !Texts.canonical(subsets).equals(Texts.canonical(there.subsets)))
      body.set("subsets", subsets);
    if (body.isEmpty()) return Optional.empty();
    return Optional.of(
        new Change(StoredResources.ENDPOINTS, Revision.of(there.meta), body, Change.Part.OBJECT));
  }

  private static Map<String, String> labels(Service service) {
    var labels = new TreeMap<>(service.meta().labels());
    labels.remove(Labels.HEADLESS);
    if (service.headless()) labels.put(Labels.HEADLESS, "");
    labels.put(Labels.ENDPOINTS_MANAGED_BY, KEEPER);
    return labels;
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
