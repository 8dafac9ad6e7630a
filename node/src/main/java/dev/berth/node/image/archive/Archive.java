package dev.berth.node.image.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The files that an image comes in, by their names relative to it.
public interface Archive extends AutoCloseable {
  /// Longest of what is read at once: an index, a manifest, a config.
  int LONGEST = 4 << 20;

  /// @param file a folder, or a tar file, which may be compressed
  /// @param scratch an empty folder in which it may be decompressed
  /// @param room for that
  /// @throws BrokenImageException it is neither
  static Archive open(Path file, Path scratch, Room room) throws IOException {
    return Files.isDirectory(file)
        ? new FolderArchive(file)
        : TarArchive.open(file, scratch.resolve("archive"), room);
  }

  /// Opens a file; empty: there is none.
  Optional<InputStream> find(String name) throws IOException;

  @Override
  void close() throws IOException;

  /// Opens a file.
  ///
  /// @throws BrokenImageException there is none
  default InputStream open(String name) throws IOException {
    return find(name)
        .orElseThrow(() ->
            new BrokenImageException(
                "the image has no file " + name + ", which it says it is made of"));
  }

  /// Opens what has a digest, to be [Checked#finish]ed.
  default Checked blob(Digest digest) throws IOException {
    var name = "blobs/" + digest.algorithm() + "/" + digest.hex();
    return new Checked(name, digest, open(name));
  }

  /// All of what has a digest, a small file.
  default byte[] smallBlob(Digest digest) throws IOException {
    try (var blob = blob(digest)) {
      var bytes = small(blob, digest.toString());
      blob.finish();
      return bytes;
    }
  }

  /// All of a small file; empty: there is none.
  default Optional<byte[]> smallFile(String name) throws IOException {
    var file = find(name);
    if (file.isEmpty()) return Optional.empty();
    try (var content = file.get()) {
      return Optional.of(small(content, name));
    }
  }

  private static byte[] small(InputStream content, String name) throws IOException {
    var bytes = content.readNBytes(LONGEST + 1);
    if (bytes.length > LONGEST)
      throw new BrokenImageException(
          "%s is larger than %d MiB, which nothing of its kind is".formatted(name, LONGEST >> 20));
    return bytes;
  }

  /// What is written there.
  static JsonNode json(byte[] text, String name) throws BrokenImageException {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new BrokenImageException(name + " is no JSON");
    } catch (IOException impossible) {
      throw new IllegalStateException("from memory", impossible);
    }
  }
}
