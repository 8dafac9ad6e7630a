package dev.berth.apiserver.backup;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Writes a backup of one state (API-145). A state never changes, so writers go on meanwhile.
public final class Backup {
  static final String KIND = "backup";
  static final int FORMAT = 1;

  private Backup() {}

  /// Writes all that is stored in `state`. `out` is finished, not closed.
  ///
  /// @param taken when the state was the latest
  public static void write(State state, Instant taken, OutputStream out) throws IOException {
    var packed = new FastGzip(out);
    var lines = new DigestOutputStream(packed, Digests.sha256());
    var head = JsonNodeFactory.instance.objectNode();
    head.put("berth", KIND).put("format", FORMAT).put("revision", state.revision());
    head.put("taken", taken.toString()).put("objects", count(state));
    line(lines, head.toString());
    for (var resource : state.kinds().stored())
      for (var object : state.list(resource)) object(lines, resource, object);
    var digest = HexFormat.of().formatHex(lines.getMessageDigest().digest());
    line(packed, JsonNodeFactory.instance.objectNode().put("sha256", digest).toString());
    packed.finish();
    out.flush();
  }

  private static int count(State state) {
    return state.kinds().stored().stream().mapToInt(each -> state.list(each).size()).sum();
  }

  private static void object(OutputStream out, Resource resource, Stored object)
      throws IOException {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("kind", SqliteStore.kind(resource));
    entry.put("namespace", object.key().namespace()).put("name", object.key().name());
    entry.put("created", object.created()).put("revision", object.revision());
    out.write(entry.toString().getBytes(StandardCharsets.UTF_8));
    out.write('\t');
    out.write(object.json());
    out.write('\n');
  }

  private static void line(OutputStream out, String text) throws IOException {
    out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
