package dev.berth.driver.testing;

import dev.berth.driver.model.Condition;
import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Health;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.Modification;
import dev.berth.driver.spi.Publishing;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.driver.spi.Snapshots;
import dev.berth.driver.spi.Volumes;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Every capability of the controller's side, in memory.
public final class ToyController
    implements Volumes,
        Cloning,
        Publishing,
        Listing,
        Capacity,
        Expansion,
        Modification,
        Health,
        Snapshots,
        GroupSnapshots,
        SnapshotMetadata,
        Located {
  public static final String ZONE = "toy.example.com/zone";
  public static final Topology HERE = Topology.of(ZONE, "a");
  private static final long USUAL_BYTES = 1 << 20;

  private final Hook hook;
  private final Map<String, Volume> volumes = new ConcurrentSkipListMap<>();
  private final Map<String, Publication> publications = new ConcurrentSkipListMap<>();
  private final Map<String, Snapshot> snapshots = new ConcurrentSkipListMap<>();
  private final Map<String, GroupSnapshot> groups = new ConcurrentSkipListMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  /// What the ids of new volumes begin with.
  public volatile String prefix = "vol-";

  /// What is wrong with it, for tests of what is done about that: bytes by which volumes differ
  /// from what is asked for, what is left, runs of blocks beside its own, and the group of new
  /// members.
  public volatile long off = 0;

  public volatile Room room = Room.of(1L << 40);
  public volatile List<Extent> extents = List.of();
  public volatile Optional<String> groupOfMembers = Optional.empty();

  ToyController(Hook hook) {
    this.hook = hook;
  }

  @Override
  public Set<String> topologyKeys() {
    return Set.of(ZONE);
  }

  @Override
  public Optional<Volume> named(String name) {
    return volumes.values().stream().filter(it -> it.recipe().name().equals(name)).findFirst();
  }

  @Override
  public Optional<Volume> volume(String id) throws IOException {
    hook.on("volume");
    return Optional.ofNullable(volumes.get(possible(id)));
  }

  /// No driver sees an id that it cannot have given out (ERR-12).
  static String possible(String id) {
    if (id.isEmpty() || id.length() > 128 || id.indexOf('\0') >= 0)
      throw new AssertionError("the driver is asked for an id that cannot be: " + id);
    return id;
  }

  @Override
  public Stream<Volume> volumesAfter(String after) {
    return volumes.values().stream().filter(it -> it.id().compareTo(after) > 0);
  }

  @Override
  public Volume create(VolumeRecipe recipe, Secrets secrets) throws IOException {
    var id = prefix + "%04d".formatted(ids.incrementAndGet());
    var bytes = recipe.size().choose(USUAL_BYTES, 1).orElseThrow() + off;
    var volume = new Volume(id, bytes, recipe.parameters(), List.of(HERE), recipe);
    hook.on("create");
    volumes.put(id, volume);
    return volume;
  }

  @Override
  public Volume cloneOf(Volume source, VolumeRecipe recipe, Secrets secrets) throws IOException {
    hook.on("clone");
    return create(recipe, secrets);
  }

  @Override
  public void delete(Volume volume, Secrets secrets) throws IOException {
    hook.on("delete");
    volumes.remove(volume.id());
  }

  @Override
  public boolean knowsNode(String nodeId) {
    return nodeId.equals(ToyNode.NAME) || nodeId.equals("other");
  }

  @Override
  public List<Publication> publications(Volume volume) {
    var key = volume.id() + "@";
    return publications.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(key))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public Map<String, String> publish(
      Volume volume, String nodeId, Usage usage, boolean readOnly, Secrets secrets)
      throws IOException {
    hook.on("publish");
    var context = Map.of("device", "toy-" + volume.id());
    publications.put(volume.id() + "@" + nodeId, new Publication(nodeId, usage, readOnly, context));
    return context;
  }

  @Override
  public void unpublish(String volumeId, Optional<String> nodeId, Secrets secrets)
      throws IOException {
    possible(volumeId);
    var gone =
        publications
            .keySet()
            .removeIf(key ->
                nodeId
                    .map(node -> key.equals(volumeId + "@" + node))
                    .orElse(key.startsWith(volumeId)));
    if (gone) hook.on("unpublished");
  }

  @Override
  public Room room(List<Usage> usages, Map<String, String> parameters, Optional<Topology> where) {
    return room;
  }

  @Override
  public When when() {
    return When.OFFLINE;
  }

  @Override
  public Expanded expand(Volume volume, SizeRange size, Optional<Usage> usage, Secrets secrets)
      throws IOException {
    hook.on("expand");
    var bytes = Math.max(size.required(), volume.capacityBytes()) + off;
    volumes.put(
        volume.id(),
        new Volume(volume.id(), bytes, volume.context(), volume.reachableFrom(), volume.recipe()));
    return new Expanded(bytes, Expanded.NodeStep.REQUIRED);
  }

  @Override
  public void check(Map<String, String> parameters) {
    if (!Set.of("speed").containsAll(parameters.keySet()))
      throw Refusal.invalid("only speed can be set");
  }

  @Override
  public void modify(Volume volume, Map<String, String> parameters, Secrets secrets) {}

  /// Of volumes, by id, that are not well.
  public final Map<String, Condition> conditions = new ConcurrentHashMap<>();

  @Override
  public Condition condition(Volume volume) {
    return conditions.getOrDefault(volume.id(), Condition.healthy("all is well"));
  }

  @Override
  public Optional<Snapshot> snapshotNamed(String name) {
    return snapshots.values().stream().filter(it -> it.name().equals(name)).findFirst();
  }

  @Override
  public Optional<Snapshot> snapshot(String id) {
    return Optional.ofNullable(snapshots.get(possible(id)));
  }

  @Override
  public Stream<Snapshot> snapshotsAfter(String after) {
    return snapshots.values().stream().filter(it -> it.id().compareTo(after) > 0);
  }

  @Override
  public Snapshot cut(String name, Volume source, Map<String, String> parameters, Secrets secrets)
      throws IOException {
    hook.on("cut");
    return cut(name, source, parameters, Optional.empty());
  }

  private Snapshot cut(
      String name, Volume source, Map<String, String> parameters, Optional<String> group) {
    var id = "snap-%04d".formatted(ids.incrementAndGet());
    var snapshot =
        new Snapshot(
            id,
            name,
            source.id(),
            parameters,
            Optional.of(Snapshot.Kind.of(source.recipe())),
            source.capacityBytes(),
            Instant.now(),
            true,
            group);
    snapshots.put(id, snapshot);
    return snapshot;
  }

  @Override
  public void delete(Snapshot snapshot, Secrets secrets) throws IOException {
    hook.on("deleteSnapshot");
    snapshots.remove(snapshot.id());
  }

  @Override
  public Volume restore(Snapshot snapshot, VolumeRecipe recipe, Secrets secrets)
      throws IOException {
    hook.on("restore");
    return create(recipe, secrets);
  }

  @Override
  public Optional<GroupSnapshot> groupNamed(String name) {
    return groups.values().stream().filter(it -> it.name().equals(name)).findFirst();
  }

  @Override
  public Optional<GroupSnapshot> group(String id) {
    return Optional.ofNullable(groups.get(possible(id)));
  }

  @Override
  public GroupSnapshot cutGroup(
      String name, List<Volume> sources, Map<String, String> parameters, Secrets secrets) {
    var id = "group-%04d".formatted(ids.incrementAndGet());
    var members = new ArrayList<Snapshot>();
    for (var source : sources)
      members.add(cut("", source, parameters, Optional.of(groupOfMembers.orElse(id))));
    var group = new GroupSnapshot(id, name, parameters, members, Instant.now());
    groups.put(id, group);
    return group;
  }

  @Override
  public void deleteGroup(GroupSnapshot group, Secrets secrets) throws IOException {
    hook.on("deleteGroup");
    groups.remove(group.id());
    group.members().forEach(member -> snapshots.remove(member.id()));
  }

  /// Every other 4 KiB block.
  @Override
  public Stream<Extent> allocated(Snapshot snapshot, long from, Secrets secrets) {
    if (!extents.isEmpty()) return extents.stream();
    return Stream.iterate(0L, at -> at < snapshot.sizeBytes(), at -> at + 8192)
        .filter(at -> at + 4096 > from)
        .map(at -> new Extent(at, 4096));
  }

  @Override
  public Stream<Extent> changed(Snapshot base, Snapshot target, long from, Secrets secrets) {
    return allocated(target, from, secrets);
  }
}
