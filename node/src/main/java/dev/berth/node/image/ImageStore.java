package dev.berth.node.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.linux.file.Durable;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The images of a home, or of a node's root:
///
/// - `layers/ID`: a layer unpacked, as it lies on those below it. It is there whole or not at all,
///   and never changed.
/// - `known/DIGEST.json`: an image, all of whose layers are there.
/// - `names.json`: which image has which name; replaced as a whole.
/// - `work`: what is in the making; deleted by whoever comes next.
///
/// Reading takes no lock. Who changes something has the one of `lock`, one at a time.
///
/// @param folder made by the first import
public record ImageStore(Path folder) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NOTE = ".json";

  /// The image that a pod means; empty: it is not here.
  ///
  /// @throws BrokenImageException that is no name of an image
  public Optional<StoredImage> find(String name) throws IOException {
    var wanted = ImageName.parse(name);
    if (wanted.digest().isEmpty()) {
      var id = Optional.ofNullable(names().get(wanted.toString()));
      return id.isPresent() ? image(Digest.parse(id.get())) : Optional.empty();
    }
    return list().stream()
        .filter(image -> image.manifest().equals(wanted.digest()))
        .filter(image ->
            image.names().stream().anyMatch(it -> it.repository().equals(wanted.repository())))
        .findFirst();
  }

  /// The image of this id; empty: it is not here.
  public Optional<StoredImage> image(Digest id) throws IOException {
    var names = new ArrayList<ImageName>();
    for (var name : names().entrySet())
      if (name.getValue().equals(id.toString())) names.add(ImageName.parse(name.getKey()));
    try {
      return Optional.of(StoredImage.of(id, names, JSON.readTree(Files.readAllBytes(known(id)))));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /// All that are here, by their names.
  public List<StoredImage> list() throws IOException {
    var images = new ArrayList<StoredImage>();
    for (var id : ids()) image(id).ifPresent(images::add);
    images.sort(Comparator.comparing((StoredImage it) -> it.names().toString()));
    return images;
  }

  /// Where a layer is.
  public Path layer(String name) {
    if (!name.matches("[0-9a-f]{32}")) throw new IllegalArgumentException("no layer: " + name);
    return layers().resolve(name);
  }

  Path layers() {
    return folder.resolve("layers");
  }

  Path work() {
    return folder.resolve("work");
  }

  Path lock() {
    return folder.resolve("lock");
  }

  Path knownFolder() {
    return folder.resolve("known");
  }

  Path known(Digest id) {
    return knownFolder().resolve(id.hex() + NOTE);
  }

  /// Ids of all images, with or without names.
  List<Digest> ids() throws IOException {
    var ids = new ArrayList<Digest>();
    for (var file : entries(knownFolder())) {
      var name = file.getFileName().toString();
      if (name.matches("[0-9a-f]{64}\\.json")) ids.add(new Digest("sha256", name.substring(0, 64)));
    }
    return ids;
  }

  /// Ids by the names.
  Map<String, String> names() throws IOException {
    var names = new TreeMap<String, String>();
    try {
      var read = JSON.readTree(Files.readAllBytes(namesFile()));
      read.properties().forEach(entry -> names.put(entry.getKey(), entry.getValue().asText()));
    } catch (NoSuchFileException none) {
      // nothing was imported yet
    }
    return names;
  }

  void rename(Map<String, String> names) throws IOException {
    replace(namesFile(), JSON.valueToTree(new TreeMap<>(names)));
  }

  void note(Digest id, ObjectNode note) throws IOException {
    replace(known(id), note);
  }

  private Path namesFile() {
    return folder.resolve("names.json");
  }

  /// A reader sees the old or the new, and so does who comes after a loss of power.
  private void replace(Path file, JsonNode content) throws IOException {
    var half = work().resolve(file.getFileName() + ".new");
    Files.write(half, JSON.writeValueAsBytes(content));
    Durable.sync(half);
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    Durable.sync(file.resolveSibling(""));
  }

  static List<Path> entries(Path folder) throws IOException {
    try (var entries = Files.newDirectoryStream(folder)) {
      var found = new ArrayList<Path>();
      entries.forEach(found::add);
      return found;
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    }
  }
}
