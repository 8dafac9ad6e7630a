package dev.berth.node.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.node.image.archive.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/// An image that is made by code.
public final class TestImage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path BUSYBOX = Path.of("/bin/busybox");

  /// As images name this machine.
  public static final String MACHINE =
      System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";

  public final ObjectNode config = JSON.createObjectNode();
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final List<byte[]> layers = new ArrayList<>();

  public TestImage() {
    config.put("os", "linux").put("architecture", MACHINE);
    config.putObject("config");
    files.put("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8));
  }

  /// Whether there is a program that runs without any library.
  public static boolean hasBusybox() {
    return Files.isExecutable(BUSYBOX);
  }

  /// A layer with a shell and what belongs to one.
  public static TestTar shell() throws IOException {
    var tar =
        new TestTar()
            .folder("bin/", 0755)
            .file("bin/busybox", 0755, Files.readAllBytes(BUSYBOX))
            .folder("tmp/", 01777)
            .folder("etc/", 0755);
    for (var name : List.of("sh", "cat", "ls", "id", "env", "stat", "sleep", "pwd", "touch"))
      tar.link("bin/" + name, "busybox");
    return tar;
  }

  public TestImage layer(byte[] tar) {
    layers.add(tar);
    return this;
  }

  /// An index, a manifest, a config, and the layers.
  public Map<String, byte[]> files(String name) throws IOException {
    var ids = config.putObject("rootfs").put("type", "layers").putArray("diff_ids");
    var manifest = JSON.createObjectNode().put("schemaVersion", 2);
    var list = JSON.createArrayNode();
    for (var layer : layers) {
      ids.add(Digest.of(layer).toString());
      list.add(blob(gzip(layer)));
    }
    manifest.set("config", blob(JSON.writeValueAsBytes(config)));
    manifest.set("layers", list);
    var entry = blob(JSON.writeValueAsBytes(manifest));
    if (!name.isEmpty())
      entry.putObject("annotations").put("org.opencontainers.image.ref.name", name);
    var index = JSON.createObjectNode().put("schemaVersion", 2);
    index.putArray("manifests").add(entry);
    files.put("index.json", JSON.writeValueAsBytes(index));
    return files;
  }

  private ObjectNode blob(byte[] content) {
    var digest = Digest.of(content);
    files.put("blobs/sha256/" + digest.hex(), content);
    return JSON.createObjectNode().put("digest", digest.toString()).put("size", content.length);
  }

  public static byte[] gzip(byte[] content) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  /// As one tar file.
  public Path tar(Path file, String name) throws IOException {
    var tar = new TestTar();
    files(name).forEach((path, content) -> tar.file(path, 0644, content));
    return Files.write(file, tar.bytes());
  }

  /// As a folder.
  public Path folder(Path folder, String name) throws IOException {
    files(name)
        .forEach((path, content) -> {
          try {
            var file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            Files.write(file, content);
          } catch (IOException broken) {
            throw new UncheckedIOException(broken);
          }
        });
    return folder;
  }
}
