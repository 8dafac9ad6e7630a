package dev.berth.apiserver.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tokens that the operator has written into a file, one a line: `token,user,uid,"group,group"`, as
/// upstream's `--token-auth-file` has them. Read anew when the file changes; a line that cannot be
/// understood admits nobody.
final class StaticTokens {
  private static final Logger log = LoggerFactory.getLogger(StaticTokens.class);
  private static final int SHORTEST = 16;
  private static final int MOST_BYTES = 1 << 20;

  private final Path file;
  private volatile Known known = new Known(FileTime.fromMillis(Long.MIN_VALUE), Map.of());

  StaticTokens(Path file) {
    this.file = file;
  }

  /// What the file said.
  ///
  /// @param users by the SHA-256 of their tokens: who compares hashes tells nothing by the time
  private record Known(FileTime changed, Map<String, Identity> users) {}

  Optional<Identity> find(String token) {
    return Optional.ofNullable(latest().users().get(hash(token)));
  }

  private Known latest() {
    var seen = known;
    try {
      var changed = Files.getLastModifiedTime(file);
      if (changed.equals(seen.changed())) return seen;
      if (Files.size(file) > MOST_BYTES) throw new IOException("larger than 1 MiB");
      seen = new Known(changed, parse(Files.readAllLines(file)));
    } catch (IOException missingOrUnreadable) {
      if (Files.exists(file)) log.warn("read {}: {}", file, missingOrUnreadable.toString());
      seen = new Known(FileTime.fromMillis(Long.MIN_VALUE), Map.of());
    }
    known = seen;
    return seen;
  }

  /// The line's number is all that is said of one that is wrong.
  private Map<String, Identity> parse(List<String> lines) {
    var users = new HashMap<String, Identity>();
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) continue;
      var parts = line.split(",", 4);
      if (parts.length < 3 || parts[0].strip().length() < SHORTEST || parts[1].isBlank())
        log.warn("{}, line {}: no token of {} characters and its user", file, i + 1, SHORTEST);
      else
        users.put(
            hash(parts[0].strip()),
            new Identity(parts[1].strip(), parts[2].strip(), groups(parts)));
    }
    return Map.copyOf(users);
  }

  private static List<String> groups(String[] parts) {
    if (parts.length < 4) return List.of();
    return Arrays.stream(parts[3].replace("\"", "").split(",", -1))
        .map(String::strip)
        .filter(group -> !group.isEmpty())
        .toList();
  }

  private static String hash(String token) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
