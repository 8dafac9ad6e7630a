package dev.berth.example;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Volumes;
import dev.berth.linux.file.Durable;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// The pool: `vol-…/data` is what users see of a volume, `vol-…/recipe` what it was made from. What
/// is called `rest-…` is half made or half removed.
public class Folders implements Volumes, Listing, Capacity {
  private static final long USUAL_BYTES = 1L << 30;

  private final Path pool;
  private final Mounts mounts;

  /// @param pool made if it is new; no other process makes volumes there
  public Folders(Path pool, Mounts mounts) throws IOException {
    this.pool = Files.createDirectories(pool).toRealPath();
    this.mounts = mounts;
    for (var name : names()) if (name.startsWith("rest-")) remove(this.pool.resolve(name));
  }

  @Override
  public Volume create(VolumeRecipe recipe, Secrets secrets) throws IOException {
    if (!recipe.parameters().isEmpty())
      throw Refusal.invalid("unknown parameters: " + recipe.parameters().keySet());
    var volume = described("vol-" + UUID.randomUUID(), recipe);
    if (volume.capacityBytes() > free())
      throw Refusal.noRoom("%s asked for, %d are free".formatted(recipe.size(), free()));
    var half = Files.createTempDirectory(pool, "rest-");
    Files.createDirectory(half.resolve("data"));
    Files.writeString(half.resolve("recipe"), recipe.encode());
    Durable.syncFileSystem(half);
    Files.move(half, pool.resolve(volume.id()), StandardCopyOption.ATOMIC_MOVE);
    Durable.sync(pool);
    return volume;
  }

  @Override
  public void delete(Volume volume, Secrets secrets) throws IOException {
    if (!mounts.table().bindsOf(data(volume.id())).isEmpty())
      throw Refusal.wrongState(volume.id() + " is published; unpublish it first");
    var half = pool.resolve("rest-" + volume.id());
    Files.move(pool.resolve(volume.id()), half, StandardCopyOption.ATOMIC_MOVE);
    Durable.sync(pool);
    remove(half);
  }

  private void remove(Path folder) throws IOException {
    if (!mounts.table().under(folder).isEmpty())
      throw new IOException("something is mounted below " + folder);
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  @Override
  public Optional<Volume> named(String name) throws IOException {
    return volumesAfter("").filter(volume -> volume.recipe().name().equals(name)).findFirst();
  }

  @Override
  public Stream<Volume> volumesAfter(String after) throws IOException {
    var volumes = new ArrayList<Volume>();
    for (var id : names()) if (id.compareTo(after) > 0) volume(id).ifPresent(volumes::add);
    return volumes.stream();
  }

  private List<String> names() throws IOException {
    try (var entries = Files.list(pool)) {
      return entries.map(entry -> pool.relativize(entry).toString()).sorted().toList();
    }
  }

  @Override
  public Optional<Volume> volume(String id) throws IOException {
    if (!id.matches("vol-[0-9a-f-]{36}")) return Optional.empty(); // an id is no path
    try {
      var recipe = Files.readString(pool.resolve(id).resolve("recipe"));
      return Optional.of(described(id, VolumeRecipe.decode(recipe)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /// Where the users' files of an existing volume are.
  public Path data(String id) throws IOException {
    return pool.resolve(volume(id).orElseThrow(() -> Refusal.noSuchVolume(id)).id())
        .resolve("data");
  }

  private static Volume described(String id, VolumeRecipe recipe) {
    var bytes = recipe.size().choose(USUAL_BYTES, 1).orElseThrow();
    return new Volume(id, bytes, Map.of(), List.of(), recipe);
  }

  @Override
  public Room room(List<Usage> usages, Map<String, String> parameters, Optional<Topology> where)
      throws IOException {
    return parameters.isEmpty() ? Room.of(free()) : Room.NONE;
  }

  private long free() throws IOException {
    return Files.getFileStore(pool).getUsableSpace();
  }
}
