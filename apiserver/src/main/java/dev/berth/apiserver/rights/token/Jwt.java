package dev.berth.apiserver.rights.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.tls.SigningKeys;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.Optional;

/// Signed claims in compact form (RFC 7515, RFC 7519), with ECDSA on P-256 and SHA-256 only:
/// whatever else a header names, `none` above all, is no token of ours.
final class Jwt {
  static final String ALGORITHM = "ES256";

  /// Ours have a kilobyte.
  private static final int MOST_CHARACTERS = 16 * 1024;

  private static final int MOST_DEPTH = 16;
  private static final String JDK_ALGORITHM = "SHA256withECDSAinP1363Format";

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  private Jwt() {}

  static String sign(ObjectNode claims, SigningKeys.Key key) {
    var header = JsonNodeFactory.instance.objectNode();
    header.put("alg", ALGORITHM).put("kid", key.id());
    try {
      var text =
          encoded(JSON.writeValueAsBytes(header)) + "." + encoded(JSON.writeValueAsBytes(claims));
      var signature = Signature.getInstance(JDK_ALGORITHM);
      signature.initSign(key.secret());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return text + "." + encoded(signature.sign());
    } catch (IOException | GeneralSecurityException impossible) {
      throw new IllegalStateException("this JDK cannot sign a token", impossible);
    }
  }

  /// The claims of a token that one of `keys` has signed.
  ///
  /// @return empty: it is no such token
  static Optional<ObjectNode> claims(String token, SigningKeys keys) {
    if (token.length() > MOST_CHARACTERS) return Optional.empty();
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    if (first < 0 || second < 0 || token.indexOf('.', second + 1) >= 0) return Optional.empty();
    return tree(token.substring(0, first))
        .filter(header -> Json.text(header, "alg").equals(ALGORITHM) && !header.has("crit"))
        .flatMap(header -> keys.find(Json.text(header, "kid")))
        .filter(key -> isSigned(token, second, key))
        .flatMap(_ -> tree(token.substring(first + 1, second)));
  }

  /// Whether it might be one of ours at all, which costs nothing to see.
  static boolean looksLike(String token) {
    return token.startsWith("eyJ") && token.indexOf('.') > 0;
  }

  private static boolean isSigned(String token, int end, SigningKeys.Key key) {
    try {
      var signature = Signature.getInstance(JDK_ALGORITHM);
      signature.initVerify(key.open());
      signature.update(token.substring(0, end).getBytes(StandardCharsets.UTF_8));
      return signature.verify(Base64.getUrlDecoder().decode(token.substring(end + 1)));
    } catch (GeneralSecurityException | IllegalArgumentException noSignature) {
      return false;
    }
  }

  private static Optional<ObjectNode> tree(String part) {
    try {
      var tree = JSON.readTree(Base64.getUrlDecoder().decode(part));
      return tree instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
