package dev.berth.node.image;

import dev.berth.linux.file.Durable;
import dev.berth.node.image.archive.Archive;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Checked;
import dev.berth.node.image.archive.Digest;
import dev.berth.node.image.archive.Room;
import dev.berth.node.image.archive.TarReader;
import dev.berth.node.image.archive.Unpacked;
import dev.berth.node.image.layer.LayerWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Brings images into a store. Until the last step of each nothing of it is used, and nothing of an
/// image that is not imported stays.
///
/// @param machine as images name it, such as `amd64`
/// @param room how much may be unpacked, at most
public record ImageImport(ImageStoreWriter writer, String machine, long room) {
  /// More than that no overlay takes.
  private static final int MOST_LAYERS = 500;

  /// The mount's options fit into a page.
  private static final int LONGEST_OPTIONS = 3900;

  /// Imports all images of a file.
  ///
  /// @param file a folder or a tar file
  /// @param names which the one image of the file gets; empty: those that the file says
  /// @return what was imported
  /// @throws BrokenImageException the image is not as it should be, and why
  public List<StoredImage> run(Path file, List<ImageName> names) throws IOException {
    try {
      var imported = bringAll(file, names);
      writer.clear();
      return imported;
    } catch (IOException | RuntimeException failed) {
      try {
        writer.clear();
        writer.sweep();
      } catch (IOException | RuntimeException also) {
        failed.addSuppressed(also);
      }
      throw failed;
    }
  }

  private List<StoredImage> bringAll(Path file, List<ImageName> names) throws IOException {
    var store = writer.store();
    var room = new Room(store.work(), this.room);
    try (var archive = Archive.open(file, store.work(), room)) {
      var offers = Offer.in(archive, machine);
      if (offers.isEmpty()) throw new BrokenImageException("there is no image in it");
      if (!names.isEmpty() && offers.size() > 1)
        throw new BrokenImageException(
            "it holds %d images, which cannot all be called %s; leave out --name"
                .formatted(offers.size(), names.getFirst()));
      var imported = new ArrayList<StoredImage>();
      for (var offer : offers) imported.add(bring(archive, offer, names(offer, names), room));
      return imported;
    }
  }

  private static Set<String> names(Offer offer, List<ImageName> given) throws IOException {
    var names = new TreeSet<String>();
    for (var name : given) names.add(name.toString());
    if (given.isEmpty()) for (var name : offer.names()) names.add(ImageName.parse(name).toString());
    if (names.isEmpty())
      throw new BrokenImageException("the image has no name; give it one with --name NAME");
    return names;
  }

  private StoredImage bring(Archive archive, Offer offer, Set<String> names, Room room)
      throws IOException {
    var store = writer.store();
    ImageConfig.checkMachine(offer.config(), machine);
    var config = ImageConfig.of(offer.config());
    if (config.layers().size() != offer.layers().size() || config.layers().isEmpty())
      throw new BrokenImageException(
          "its config tells of %d layers, and its manifest of %d"
              .formatted(config.layers().size(), offer.layers().size()));
    checkCount(config.layers().size());
    var layers = new ArrayList<String>();
    long bytes = 0;
    Digest chain = config.layers().getFirst();
    for (int i = 0; i < offer.layers().size(); i++) {
      var content = config.layers().get(i);
      if (i > 0) chain = Digest.of(chain + " " + content);
      var name = chain.hex().substring(0, 32);
      bytes += layer(archive, offer.layers().get(i), content, name, layers, room);
      layers.add(name);
    }
    store.note(
        offer.id(),
        StoredImage.note(offer.config(), offer.manifest(), layers, bytes, Instant.now()));
    var all = store.names();
    for (var name : names) all.put(name, offer.id().toString());
    store.rename(all);
    return store.image(offer.id()).orElseThrow();
  }

  private void checkCount(int layers) throws BrokenImageException {
    int length = layers * (writer.store().layers().toString().length() + 34);
    if (layers > MOST_LAYERS || length > LONGEST_OPTIONS)
      throw new BrokenImageException(
          "the image has %d layers, and below %s at most %d can be mounted; make it of fewer"
              .formatted(
                  layers,
                  writer.store().folder(),
                  LONGEST_OPTIONS / (writer.store().layers().toString().length() + 34)));
  }

  /// Unpacks a layer, unless it is here; checks it in any case.
  ///
  /// @param content digest of what it unpacks from
  /// @param lower the layers below, the lowest first
  /// @return bytes that it unpacks from
  private long layer(
      Archive archive,
      Offer.Source source,
      Digest content,
      String name,
      List<String> lower,
      Room room)
      throws IOException {
    var store = writer.store();
    boolean known = Files.exists(store.layer(name));
    var half = store.work().resolve(name);
    try (var file = source.open(archive);
        var unpacked = Unpacked.of(file, source.name(), room);
        var checked = new Checked(source.name() + " (unpacked)", content, unpacked)) {
      if (!known) {
        Files.createDirectory(half);
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rwxr-xr-x"));
        var below = lower.reversed().stream().map(store::layer).toList();
        try (var layer = LayerWriter.into(half, below, room)) {
          layer.unpack(new TarReader(checked, source.name()));
        }
      }
      checked.finish();
      source.finish(file);
      if (!known) {
        Durable.syncFileSystem(half);
        Files.move(half, store.layer(name), StandardCopyOption.ATOMIC_MOVE);
        Durable.sync(store.layers());
      }
      return unpacked.length();
    }
  }
}
