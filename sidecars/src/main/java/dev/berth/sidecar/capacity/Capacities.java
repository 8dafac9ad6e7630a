package dev.berth.sidecar.capacity;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.capacity.CapacityEffect.Ask;
import dev.berth.sidecar.capacity.CapacityEffect.Forget;
import dev.berth.sidecar.capacity.CapacityEffect.Want;
import dev.berth.sidecar.capacity.CapacityEffect.Withdraw;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.provisioner.ClassParameters;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.write.RoomMetrics;
import dev.berth.volume.Indexes;
import dev.berth.volume.Translation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Keeps one CSIStorageCapacity for each class of ours in each segment, and no other of ours.
public final class Capacities implements Decider<Subject, View, CapacityEffect> {
  /// Objects of a provisioner: by driver, by its label, and by what they are for.
  private static final Index<StorageCapacity> BY_SLOT =
      new Index<>(Kinds.STORAGE_CAPACITY, "driver, manager and slot", Capacities::slots);

  /// Before what has gone is published again.
  private static final Duration GONE = Duration.ofSeconds(1);

  static final String MANAGER_LABEL = "csi.storage.k8s.io/managed-by";

  private final DriverFacts driver;
  private final CapacityOptions options;

  Capacities(DriverFacts driver, CapacityOptions options) {
    this.driver = driver;
    this.options = options;
  }

  /// @param told what is to be asked for
  public static Concern<Means, ?, ?, ?> of(
      DriverFacts driver, CapacityOptions options, Told<Room> told, RoomMetrics metrics) {
    return new Concern<>(
        Sidecar.PROVISIONER.role(driver.name()),
        new Capacities(driver, options),
        means ->
            new CapacityEffects(
                driver.name(),
                options,
                means.controller(options.timeout()),
                means.api(),
                means.time(),
                told,
                metrics));
  }

  /// Has the driver asked anew about a class: a volume of it could not be made (PROV-166).
  public static void refresh(Told<Room> told, String className) {
    told.change(room -> room.stale(className));
  }

  /// What its deciders read beside objects, empty.
  public static Told<Room> room() {
    return new Told<>(Room.TOPIC);
  }

  @Override
  public String name() {
    return "csistoragecapacity/" + driver.name();
  }

  @Override
  public List<Trigger<?, Subject>> triggers() {
    return List.of(
        Trigger.on(Kinds.STORAGE_CLASS, this::everything),
        Trigger.on(Concerned.OF_CSI_NODE.share(driver.name()), this::everythingIfMoved),
        Trigger.on(Concerned.OF_NODE.share(driver.name()), this::everythingIfLabelled),
        Trigger.on(Concerned.OF_CAPACITY.share(driver.name()), (change, _) -> object(change)),
        Trigger.on(Concerned.OF_VOLUME.share(driver.name()), this::filled),
        Trigger.on(Room.TOPIC, this::asked));
  }

  private Stream<Subject> everything(Change<StorageClass> change, Snapshot objects) {
    return change.versions().anyMatch(it -> it.provisioner().equals(driver.name()))
        ? Stream.of(new Subject.Everything())
        : Stream.empty();
  }

  private Stream<Subject> everythingIfMoved(Change<CsiNode> change, Snapshot objects) {
    return here(change.before()).equals(here(change.after()))
        ? Stream.empty()
        : Stream.of(new Subject.Everything());
  }

  private Optional<CsiNode.Driver> here(Optional<CsiNode> node) {
    return node.flatMap(it -> it.driver(driver.name()));
  }

  private Stream<Subject> everythingIfLabelled(Change<Node> change, Snapshot objects) {
    var before = change.before().map(node -> node.meta().labels());
    return before.equals(change.after().map(node -> node.meta().labels()))
        ? Stream.empty()
        : Stream.of(new Subject.Everything());
  }

  /// The object, and what it was for: somebody may have taken it away (PROV-165).
  private Stream<Subject> object(Change<StorageCapacity> change) {
    var ours = change.versions().filter(this::isOurs).toList();
    if (ours.isEmpty()) return Stream.empty();
    var slots = ours.stream().flatMap(it -> Slot.of(it).stream());
    // PROV-166: a driver that knows when its room changes says so
    boolean marked =
        change.before().isPresent() && !mark(change.before()).equals(mark(change.after()));
    if (marked && !change.isComingOrGoing()) return slots.map(Subject.OfChange::new);
    return Stream.concat(
        Stream.of(new Subject.OfObject(change.latest().meta().key())),
        slots.map(slot -> marked ? new Subject.OfChange(slot) : new Subject.OfSlot(slot)));
  }

  /// A volume that comes takes room, one that goes gives some (PROV-166).
  private Stream<Subject> filled(Change<Volume> change, Facts facts) {
    if (!change.isComingOrGoing()) return Stream.empty();
    var wanted = facts.of(Room.TOPIC).wanted();
    return change
        .versions()
        .filter(this::isOurs)
        .flatMap(volume -> slots(volume, wanted))
        .map(Subject.OfChange::new);
  }

  private boolean isOurs(Volume volume) {
    return Translation.NONE
        .source(volume)
        .filter(it -> it.driver().equals(driver.name()))
        .isPresent();
  }

  private static Stream<Slot> slots(Volume volume, Wanted wanted) {
    var terms = terms(volume);
    return terms.isEmpty()
        ? wanted.ofClass(volume.className()).stream()
        : terms.stream().flatMap(term -> wanted.in(term).stream());
  }

  private static Optional<String> mark(Optional<StorageCapacity> object) {
    return object.flatMap(it -> it.meta().annotation(Annotations.CAPACITY_CHANGED));
  }

  private static Set<Segment> terms(Volume volume) {
    return volume.nodeAffinity().stream()
        .flatMap(affinity -> affinity.terms().stream())
        .map(term -> {
          var pairs = new TreeMap<String, String>();
          term.expressions().forEach(it -> pairs.put(it.key(), String.join(",", it.values())));
          return Segment.of(pairs);
        })
        .collect(Collectors.toSet());
  }

  /// An answer costs what it is about: there may be thousands of slots, and each is answered for
  /// every minute.
  static Stream<Slot> due(News<Room> news) {
    var after = news.after();
    var slots =
        news.before().known().equals(after.known())
            ? after.asked().changedSince(news.before().asked()).flatMap(it -> find(after, it))
            : after.wanted().all().stream();
    return slots.filter(slot -> after.lastAsked(slot).isEmpty());
  }

  private static Stream<Slot> find(Room room, String key) {
    return room.wanted().find(key).stream();
  }

  private Stream<Subject> asked(News<Room> news, Snapshot objects) {
    if (news.after().known().isEmpty()) return Stream.of(new Subject.Everything());
    var due = due(news).<Subject>map(Subject.OfSlot::new);
    return news.before().known().equals(news.after().known())
        ? due
        : Stream.concat(due, objects(objects));
  }

  /// All of ours: what is wanted has changed.
  private Stream<Subject> objects(Snapshot objects) {
    return objects.by(Concerned.CAPACITIES, driver.name()).stream()
        .filter(this::isOurs)
        .map(it -> new Subject.OfObject(it.meta().key()));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Room.TOPIC), now);
  }

  @Override
  public Step decide(View view, Subject subject) {
    return switch (subject) {
      case Subject.Everything() -> decideOnAll(view);
      case Subject.OfSlot(var slot) -> decide(view, slot);
      case Subject.OfChange(var slot) ->
          view.room().lastAsked(slot).isEmpty() ? new Settled() : new Act(new Forget(slot));
      case Subject.OfObject(var key) -> decide(view, key);
    };
  }

  private Step decideOnAll(View view) {
    var wanted = wanted(view.objects());
    return view.room().known().equals(Optional.of(new Wanted(wanted)))
        ? new Settled()
        : new Act(new Want(wanted));
  }

  /// PROV-160.
  private Set<Slot> wanted(Snapshot objects) {
    var classes =
        objects.all(Kinds.STORAGE_CLASS).stream()
            .filter(each -> each.provisioner().equals(driver.name()))
            .filter(each -> options.immediate() || each.waitsForFirstConsumer())
            .map(each -> each.meta().name())
            .toList();
    if (classes.isEmpty()) return Set.of();
    var segments = segments(objects);
    return classes.stream()
        .flatMap(name -> segments.stream().map(segment -> new Slot(name, segment)))
        .collect(Collectors.toSet());
  }

  /// PROV-162. A node that lacks a label counts when it has it.
  private Set<Segment> segments(Snapshot objects) {
    var whole = Segment.of(Map.of());
    if (!driver.hasTopology()) return Set.of(whole);
    if (driver.own().isPresent()) return Set.of(Segment.of(driver.own().get().segments()));
    var segments = new TreeSet<Segment>();
    for (var csiNode : objects.by(Indexes.CSI_NODES_BY_DRIVER, driver.name())) {
      var keys = csiNode.driver(driver.name()).map(CsiNode.Driver::topologyKeys);
      var node = objects.get(Kinds.NODE, csiNode.meta().key()).found();
      if (keys.isEmpty() || node.isEmpty()) continue;
      Segment.of(node.get(), keys.get()).ifPresent(segments::add);
    }
    return segments;
  }

  private Step decide(View view, Slot slot) {
    if (!view.room().wanted().contains(slot)) return new Settled();
    return switch (view.objects().get(Kinds.STORAGE_CLASS, ObjectKey.cluster(slot.className()))) {
      case Missing<StorageClass> _ -> new Settled();
      case Found(var found) -> decide(view, slot, found);
    };
  }

  private Step decide(View view, Slot slot, StorageClass storageClass) {
    var published = published(view, slot);
    // an owner that has gone takes with it what was just published
    var pause = published.isPresent() ? options.poll() : GONE;
    var due = view.room().lastAsked(slot).map(at -> at.plus(pause));
    if (due.isPresent() && view.now().isBefore(due.get()))
      return new Settled().lookAgainAt(due.get());
    var parameters = ClassParameters.of(storageClass.parameters()).forDriver(); // PROV-163
    return new Act(new Ask(slot, parameters, new Seen<>(published)));
  }

  /// The first of several counts; the others go.
  private Optional<StorageCapacity> published(View view, Slot slot) {
    return view.objects().by(BY_SLOT, value(driver.name(), options.managedBy(), slot)).stream()
        .filter(it -> it.meta().namespace().equals(options.namespace()))
        .findFirst();
  }

  private Step decide(View view, ObjectKey key) {
    return switch (view.objects().get(Kinds.STORAGE_CAPACITY, key)) {
      case Missing<StorageCapacity> _ -> new Settled();
      case Found(var capacity) when !isOurs(capacity) || isWanted(view, capacity) -> new Settled();
      case Found(var capacity) -> new Act(new Withdraw(key, new Seen<>(capacity.meta())));
    };
  }

  /// As long as nobody knows what is wanted, everything may be.
  private boolean isWanted(View view, StorageCapacity capacity) {
    if (view.room().known().isEmpty()) return true;
    return Slot.of(capacity)
        .filter(view.room().wanted()::contains)
        .flatMap(slot -> published(view, slot))
        .filter(first -> first.meta().key().equals(capacity.meta().key()))
        .isPresent();
  }

  private boolean isOurs(StorageCapacity capacity) {
    var labels = capacity.meta().labels();
    return capacity.meta().namespace().equals(options.namespace())
        && driver.name().equals(labels.get(Concerned.DRIVER_LABEL))
        && options.managedBy().equals(labels.get(MANAGER_LABEL));
  }

  private static Collection<String> slots(StorageCapacity capacity) {
    var labels = capacity.meta().labels();
    return Slot.of(capacity)
        .map(slot ->
            value(
                labels.getOrDefault(Concerned.DRIVER_LABEL, ""),
                labels.getOrDefault(MANAGER_LABEL, ""),
                slot))
        .stream()
        .toList();
  }

  private static String value(String driver, String manager, Slot slot) {
    return driver + " " + manager + " " + slot;
  }

  @Override
  public Class<CapacityEffect> effectType() {
    return CapacityEffect.class;
  }

  /// Nobody waits for any of it.
  @Override
  public Stream<Subject> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
