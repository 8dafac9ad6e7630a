package dev.berth.node.image;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import dev.berth.node.image.archive.Archive;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Checked;
import dev.berth.node.image.archive.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An image that an archive holds.
///
/// @param names that the archive gives it
/// @param manifest digest of its manifest; empty: the archive has none
/// @param id digest of its config, by which it is known
/// @param config as it stands there, checked
/// @param layers the lowest first
record Offer(
    Set<String> names, Optional<Digest> manifest, Digest id, JsonNode config, List<Source> layers) {
  private static final String OF_CONTAINERD = "io.containerd.image.name";
  private static final String OF_OCI = "org.opencontainers.image.ref.name";

  /// An index may lead to indexes; more than this is a circle, or a joke.
  private static final int DEEPEST = 4;

  private static final int MOST = 1000;

  /// Where a layer is.
  ///
  /// @param digest of the file; empty: nobody says, and what it unpacks to must do
  record Source(String name, Optional<Digest> digest) {
    /// Opens it; a digest is checked by who closes it.
    InputStream open(Archive archive) throws IOException {
      return digest.isPresent() ? archive.blob(digest.get()) : archive.open(name);
    }

    void finish(InputStream read) throws IOException {
      if (read instanceof Checked checked) checked.finish();
    }
  }

  Offer {
    names = Set.copyOf(names);
    layers = List.copyOf(layers);
  }

  /// All images of an archive that are for this machine.
  ///
  /// @param machine as images name it, such as `amd64`
  static List<Offer> in(Archive archive, String machine) throws IOException {
    var index = archive.smallFile("index.json");
    if (index.isPresent() && archive.smallFile("oci-layout").isPresent()) {
      var reading = new Reading(archive, machine);
      reading.index(Archive.json(index.get(), "index.json"), Set.of(), 0);
      if (reading.found.isEmpty())
        throw new BrokenImageException("there is no image for linux/" + machine + " in it");
      return reading.found;
    }
    var manifest = archive.smallFile("manifest.json");
    if (manifest.isEmpty())
      throw new BrokenImageException(
          "it is neither an OCI layout (oci-layout and index.json) nor what docker save writes"
              + " (manifest.json)");
    return ofDocker(archive, Archive.json(manifest.get(), "manifest.json"));
  }

  private static List<Offer> ofDocker(Archive archive, JsonNode images) throws IOException {
    var found = new ArrayList<Offer>();
    for (var image : images) {
      var name = Json.text(image, "Config");
      var config = archive.smallFile(name).orElseThrow(() -> missing(name));
      var named = name.replaceAll("^.*/", "").replaceAll("\\.json$", "");
      if (named.matches("[0-9a-f]{64}") && !Digest.of(config).hex().equals(named))
        throw new BrokenImageException(
            "%s is damaged, or another: it does not have the digest it is named by"
                .formatted(name));
      var layers =
          Json.list(
              image.path("Layers"), layer -> new Source(layer.asText(), Optional.<Digest>empty()));
      found.add(
          new Offer(
              new LinkedHashSet<>(Json.list(image.path("RepoTags"), JsonNode::asText)),
              Optional.empty(),
              Digest.of(config),
              Archive.json(config, name),
              layers));
    }
    return found;
  }

  private static BrokenImageException missing(String name) {
    return new BrokenImageException(
        "the image has no file " + name + ", which manifest.json names");
  }

  /// A walk through indexes.
  private static final class Reading {
    private final Archive archive;
    private final String machine;
    private final List<Offer> found = new ArrayList<>();
    private int seen;

    Reading(Archive archive, String machine) {
      this.archive = archive;
      this.machine = machine;
    }

    void index(JsonNode index, Set<String> names, int depth) throws IOException {
      if (depth > DEEPEST) throw new BrokenImageException("its indexes lead in a circle");
      for (var each : index.path("manifests")) {
        var named = new LinkedHashSet<>(names);
        name(each).ifPresent(named::add);
        if (!isForThis(each.path("platform"))) continue;
        if (++seen > MOST)
          throw new BrokenImageException("it holds more than %d images".formatted(MOST));
        var digest = Digest.parse(Json.text(each, "digest"));
        var json = Archive.json(archive.smallBlob(digest), digest.toString());
        if (json.has("manifests")) index(json, named, depth + 1);
        else if (json.has("config") && json.has("layers")) image(digest, json, named);
        else
          throw new BrokenImageException(
              digest + " is neither an index nor the manifest of an image");
      }
    }

    private boolean isForThis(JsonNode platform) {
      return platform.isMissingNode()
          || (Json.text(platform, "os").equals("linux")
              && Json.text(platform, "architecture").equals(machine));
    }

    /// Of containerd the whole name; else what may be no more than a tag.
    private static Optional<String> name(JsonNode descriptor) {
      var annotations = descriptor.path("annotations");
      return Json.optionalText(annotations, OF_CONTAINERD)
          .or(() ->
              Json.optionalText(annotations, OF_OCI)
                  .filter(name -> name.contains("/") || name.contains(":")));
    }

    private void image(Digest digest, JsonNode manifest, Set<String> names) throws IOException {
      var id = Digest.parse(Json.text(manifest.path("config"), "digest"));
      var config = Archive.json(archive.smallBlob(id), "the image's config");
      var layers = new ArrayList<Source>();
      for (var layer : manifest.path("layers")) {
        var content = Digest.parse(Json.text(layer, "digest"));
        layers.add(new Source(content.toString(), Optional.of(content)));
      }
      var all = new LinkedHashSet<>(names);
      for (var other : List.copyOf(found))
        if (other.manifest.equals(Optional.of(digest))) {
          all.addAll(other.names);
          found.remove(other);
        }
      found.add(new Offer(all, Optional.of(digest), id, config, layers));
    }
  }
}
