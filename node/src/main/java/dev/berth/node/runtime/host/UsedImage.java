package dev.berth.node.runtime.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.value.Json;
import dev.berth.linux.file.Durable;
import dev.berth.linux.process.Signal;
import dev.berth.node.image.ImageUse;
import dev.berth.node.image.StoredImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/// From which image a container runs, in a file of its folder. It is written before it is seen that
/// the image is still there, so that whoever removes the image sees either this or no container.
///
/// @param id of the image
/// @param layers names of its layers' folders
/// @param stop what asks the container to end
record UsedImage(String id, List<String> layers, Signal stop) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  UsedImage {
    layers = List.copyOf(layers);
  }

  static UsedImage of(StoredImage image) {
    return new UsedImage(
        image.id().toString(),
        image.layers(),
        Signal.parse(image.config().stopSignal()).orElse(Signal.TERM));
  }

  /// Whole or not at all: who removes images reads it at any time, also after a loss of power.
  void writeTo(ContainerFolder folder) throws IOException {
    var note = JsonNodeFactory.instance.objectNode().put("id", id).put("stop", stop.name());
    var list = note.putArray("layers");
    layers.forEach(list::add);
    var half = folder.image().resolveSibling("image.new");
    Files.write(half, MAPPER.writeValueAsBytes(note));
    Durable.sync(half);
    Files.move(half, folder.image(), StandardCopyOption.ATOMIC_MOVE);
    Durable.sync(folder.directory());
  }

  /// Empty: it runs from the machine's own root.
  static Optional<UsedImage> read(ContainerFolder folder) {
    JsonNode note;
    try {
      note = MAPPER.readTree(Files.readAllBytes(folder.image()));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException broken) {
      throw new UncheckedIOException("read the image of container " + folder.id(), broken);
    }
    if (!note.has("id") || !note.has("layers"))
      throw new UncheckedIOException(
          "read the image of container " + folder.id(), new IOException("the note is damaged"));
    return Optional.of(
        new UsedImage(
            Json.text(note, "id"),
            Json.list(note.path("layers"), JsonNode::asText),
            Signal.parse(Json.text(note, "stop")).orElse(Signal.TERM)));
  }

  /// What asks the container to end, whatever has become of the note.
  static Signal stop(ContainerFolder folder) {
    try {
      return read(folder).map(UsedImage::stop).orElse(Signal.TERM);
    } catch (UncheckedIOException damaged) {
      return Signal.TERM;
    }
  }

  /// Its id, for those who only show it: of a damaged note nothing is told.
  static Optional<String> id(ContainerFolder folder) {
    try {
      return read(folder).map(UsedImage::id);
    } catch (UncheckedIOException damaged) {
      return Optional.of("");
    }
  }

  ImageUse by(ContainerFolder folder) {
    return new ImageUse(
        id, layers, "container %s of pod %s".formatted(folder.id().name(), folder.id().podUid()));
  }
}
