package dev.berth.apiserver.rights.token;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.tls.SigningKeys;
import java.math.BigInteger;
import java.net.URI;

/// By which others check our tokens themselves (OpenID Connect Discovery 1.0, RFC 7517).
public final class IssuerDocuments {
  private static final int COORDINATE_BYTES = 32;

  private final SigningKeys keys;

  public IssuerDocuments(SigningKeys keys) {
    this.keys = keys;
  }

  /// `/.well-known/openid-configuration`.
  ///
  /// @param server where clients reach us
  public static ObjectNode configuration(URI server) {
    var document = JsonNodeFactory.instance.objectNode();
    document
        .put("issuer", Tokens.ISSUER)
        .put("jwks_uri", server.resolve("/openid/v1/jwks").toString());
    document.putArray("response_types_supported").add("id_token");
    document.putArray("subject_types_supported").add("public");
    document.putArray("id_token_signing_alg_values_supported").add(Jwt.ALGORITHM);
    return document;
  }

  /// `/openid/v1/jwks`: each key whose tokens may still be good.
  public ObjectNode keys() {
    var document = JsonNodeFactory.instance.objectNode();
    var array = document.putArray("keys");
    for (var key : keys.all()) {
      var point = key.open().getW();
      array
          .addObject()
          .put("use", "sig")
          .put("kty", "EC")
          .put("kid", key.id())
          .put("crv", "P-256")
          .put("alg", Jwt.ALGORITHM)
          .put("x", coordinate(point.getAffineX()))
          .put("y", coordinate(point.getAffineY()));
    }
    return document;
  }

  private static String coordinate(BigInteger number) {
    var fixed = new byte[COORDINATE_BYTES];
    var bytes = number.toByteArray(); // perhaps with a zero in front
    int length = Math.min(bytes.length, COORDINATE_BYTES);
    System.arraycopy(bytes, bytes.length - length, fixed, COORDINATE_BYTES - length, length);
    return Jwt.encoded(fixed);
  }
}
