package dev.berth.node.image;

import dev.berth.linux.file.Durable;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import dev.berth.node.tree.Trees;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Who changes a store, alone as long as it is open. At the beginning it clears away what a process
/// that was killed has left.
public final class ImageStoreWriter implements AutoCloseable {
  /// Of an image that is being removed: nobody starts from it, and it may come back.
  private static final String GOING = ".going";

  private final ImageStore store;
  private final Supplier<List<ImageUse>> uses;
  private final FileChannel lock;

  private ImageStoreWriter(ImageStore store, Supplier<List<ImageUse>> uses, FileChannel lock) {
    this.store = store;
    this.uses = uses;
    this.lock = lock;
  }

  /// Waits for who changes it now.
  ///
  /// @param uses tells which containers run from its images now
  public static ImageStoreWriter open(ImageStore store, Supplier<List<ImageUse>> uses)
      throws IOException {
    var onlyRoot = PosixFilePermissions.fromString("rwx------");
    Files.createDirectories(store.folder());
    Files.setPosixFilePermissions(store.folder(), onlyRoot);
    var lock = FileChannel.open(store.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      lock.lock();
      var writer = new ImageStoreWriter(store, uses, lock);
      Trees.delete(store.work());
      for (var folder : List.of(store.work(), store.layers(), store.knownFolder()))
        Files.createDirectories(folder);
      writer.bringBack();
      writer.sweep();
      return writer;
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  ImageStore store() {
    return store;
  }

  /// Takes the name off an image, and removes the image with its last name.
  ///
  /// @param name as a pod has it, or the image's id
  /// @return what was removed, for people
  /// @throws BrokenImageException there is none, or a container runs from it
  public List<String> remove(String name) throws IOException {
    var names = store.names();
    if (name.matches("sha256:[0-9a-f]{64}")) {
      var id = Digest.parse(name);
      var all =
          names.entrySet().stream()
              .filter(it -> it.getValue().equals(name))
              .map(it -> it.getKey())
              .toList();
      if (store.image(id).isEmpty()) throw unknown(name);
      giveUpUnused(id);
      names.keySet().removeAll(all);
      store.rename(names);
      sweep();
      return all.isEmpty() ? List.of(name) : all;
    }
    var wanted = ImageName.parse(name).toString();
    var id = names.remove(wanted);
    if (id == null) throw unknown(name);
    if (!names.containsValue(id)) giveUpUnused(Digest.parse(id));
    store.rename(names);
    sweep();
    return List.of(wanted);
  }

  private static BrokenImageException unknown(String name) {
    return new BrokenImageException(
        "there is no image \"%s\" here; `berth image list` shows those there are".formatted(name));
  }

  private void giveUpUnused(Digest id) throws IOException {
    var users = giveUp(List.of(id)).stream().map(ImageUse::user).sorted().toList();
    if (!users.isEmpty())
      throw new BrokenImageException(
          "the image is in use by %s; it is removed when they have ended"
              .formatted(String.join(", ", users)));
  }

  /// Removes images unless they are used. In this order: who starts a container notes that it uses
  /// the image, and then looks whether the image is still there. Either is that seen here, or the
  /// container is not started.
  ///
  /// @return the uses because of which some of them stay
  private List<ImageUse> giveUp(List<Digest> ids) throws IOException {
    if (ids.isEmpty()) return List.of();
    for (var id : ids) Files.move(store.known(id), going(id), StandardCopyOption.ATOMIC_MOVE);
    var all = ids.stream().map(Digest::toString).collect(Collectors.toSet());
    var found = uses.get().stream().filter(use -> all.contains(use.image())).toList();
    var used = found.stream().map(ImageUse::image).collect(Collectors.toSet());
    for (var id : ids)
      if (used.contains(id.toString()))
        Files.move(going(id), store.known(id), StandardCopyOption.ATOMIC_MOVE);
      else Files.delete(going(id));
    return found;
  }

  private Path going(Digest id) {
    return store.known(id).resolveSibling(id.hex() + GOING);
  }

  /// Who gave them up was killed before he knew whether they are used.
  private void bringBack() throws IOException {
    for (var file : ImageStore.entries(store.knownFolder())) {
      var name = file.getFileName().toString();
      if (name.endsWith(GOING))
        Files.move(
            file,
            store.known(new Digest("sha256", name.substring(0, name.length() - GOING.length()))),
            StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /// Removes what is in the making.
  void clear() throws IOException {
    for (var entry : ImageStore.entries(store.work())) Trees.delete(entry);
  }

  /// Removes what no name leads to and no container uses.
  void sweep() throws IOException {
    var named = new HashSet<>(store.names().values());
    var used = uses.get();
    for (var use : used) named.add(use.image());
    Set<String> kept = new HashSet<>();
    for (var use : used) kept.addAll(use.layers());
    var unnamed = new ArrayList<Digest>();
    for (var id : store.ids()) {
      if (named.contains(id.toString())) kept.addAll(store.image(id).orElseThrow().layers());
      else unnamed.add(id);
    }
    for (var use : giveUp(unnamed)) kept.addAll(use.layers()); // of who has just begun
    for (var layer : ImageStore.entries(store.layers()))
      if (!kept.contains(layer.getFileName().toString())) delete(layer);
  }

  /// From under its name first: half a layer must not be one.
  private void delete(Path layer) throws IOException {
    var doomed = store.work().resolve("doomed-" + layer.getFileName());
    Files.move(layer, doomed, StandardCopyOption.ATOMIC_MOVE);
    Durable.sync(store.layers());
    Trees.delete(doomed);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
