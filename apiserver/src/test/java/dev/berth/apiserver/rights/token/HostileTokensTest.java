package dev.berth.apiserver.rights.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.Server;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.SigningKeys;
import dev.berth.kube.object.Resources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Signature;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// API-10: what looks like a token and is none of ours.
class HostileTokensTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path home;
  @TempDir private Path elsewhere;

  private final Server server = new Server();
  private SigningKeys keys;
  private Tokens tokens;
  private Stored account;

  @BeforeEach
  void prepare() throws Exception {
    keys = Credentials.in(home, server.clock()).signingKeys();
    tokens = new Tokens(keys, server.clock());
    account = server.create(Resources.SERVICE_ACCOUNTS, "{metadata: {name: web}}");
  }

  private String good() {
    return tokens.issue(account, Bond.NONE, List.of(Tokens.ISSUER), Duration.ofHours(1)).token();
  }

  private boolean admits(String token) {
    return tokens.bearer(token, List.of(Tokens.ISSUER), server.state()).isPresent();
  }

  @Test
  void theGoodOneIsGood() throws Exception {
    assertThat(admits(good())).isTrue();
    assertThat(admits(signed("{}", claims -> claims))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"alg\":\"none\"}",
        "{\"alg\":\"HS256\"}",
        "{\"alg\":\"ES384\"}",
        "{\"alg\":\"es256\"}",
        "{\"kid\":\"../../etc/passwd\"}",
        "{\"kid\":\"\"}",
        "{\"crit\":[\"x\"]}"
      })
  void anotherHeaderIsRefusedEvenIfTheSignatureIsRight(String changes) throws Exception {
    assertThat(admits(signed(changes, claims -> claims))).isFalse();
  }

  static final List<UnaryOperator<ObjectNode>> wrongClaims =
      List.of(
          claims -> claims.put("iss", "https://elsewhere"),
          claims -> claims.put("exp", claims.path("iat").asLong() - 1),
          claims -> claims.put("exp", "9999999999"),
          claims -> claims.remove(List.of("exp")),
          claims -> claims.put("nbf", claims.path("nbf").asLong() + 3600),
          claims -> claims.remove(List.of("nbf")),
          claims -> claims.put("sub", "system:serviceaccount:kube-system:web"),
          claims -> claims.put("sub", "system:admin"),
          claims -> claims.put("aud", "https://kubernetes.default.svc.cluster.local"),
          claims -> claims.remove(List.of("kubernetes.io")),
          claims -> {
            claims.withObject("/kubernetes.io/serviceaccount").put("uid", "another");
            return claims;
          },
          claims -> {
            claims.withObject("/kubernetes.io/pod").put("name", "gone").put("uid", "gone");
            return claims;
          },
          claims -> {
            claims.withObject("/kubernetes.io/secret").put("name", "gone").put("uid", "gone");
            return claims;
          },
          claims -> {
            claims.withObject("/kubernetes.io/node").put("name", "gone").put("uid", "gone");
            return claims;
          });

  @ParameterizedTest
  @FieldSource("wrongClaims")
  void otherClaimsAreRefusedEvenIfTheSignatureIsRight(UnaryOperator<ObjectNode> change)
      throws Exception {
    assertThat(admits(signed("{}", change))).isFalse();
  }

  @Test
  void anothersKeyIsNoKey() throws Exception {
    var others = Credentials.in(elsewhere, server.clock()).signingKeys();
    var token =
        new Tokens(others, server.clock())
            .issue(account, Bond.NONE, List.of(Tokens.ISSUER), Duration.ofHours(1))
            .token();
    assertThat(admits(token)).isFalse();
    var parts = token.split("\\.");
    var header = header("{}");
    assertThat(admits(header + "." + parts[1] + "." + parts[2])).isFalse();
  }

  @Test
  void ourOpenKeyIsNoSecret() throws Exception {
    var text = header("{\"alg\":\"HS256\"}") + "." + good().split("\\.")[1];
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(keys.current().open().getEncoded(), "HmacSHA256"));
    assertThat(admits(text + "." + encoded(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)))))
        .isFalse();
  }

  @Test
  void whatIsChangedIsRefused() {
    var good = good();
    var parts = good.split("\\.");
    Stream.of(
            "",
            ".",
            "..",
            "eyJ.",
            "eyJ..",
            parts[0] + "." + parts[1],
            parts[0] + "." + parts[1] + ".",
            good + ".",
            good + "=",
            "." + good,
            parts[0] + "." + parts[1] + "." + encoded(new byte[64]),
            parts[0] + "." + parts[1] + "." + encoded(new byte[0]),
            parts[0] + "." + encoded("[]".getBytes(StandardCharsets.UTF_8)) + "." + parts[2],
            "eyJ" + "a".repeat(20_000) + "." + parts[1] + "." + parts[2],
            "eyJ" + "\u00e9\u0000." + parts[1] + "." + parts[2])
        .forEach(token -> assertThat(admits(token)).as(token).isFalse());
  }

  @Test
  void deepOrDoubleHeadersAreNotRead() throws Exception {
    var payload = good().split("\\.")[1];
    for (var header :
        List.of(
            "{\"alg\":" + "[".repeat(1000),
            "{\"alg\":\"none\",\"alg\":\"ES256\",\"kid\":\"" + keys.current().id() + "\"}")) {
      var text = encoded(header.getBytes(StandardCharsets.UTF_8)) + "." + payload;
      assertThat(admits(text + "." + signature(text))).isFalse();
    }
  }

  /// As ours, with a right signature.
  private String signed(String headerChanges, UnaryOperator<ObjectNode> change) throws Exception {
    var claims = (ObjectNode) JSON.readTree(Base64.getUrlDecoder().decode(good().split("\\.")[1]));
    var changed = change.apply(claims);
    var text = header(headerChanges) + "." + encoded(JSON.writeValueAsBytes(changed));
    return text + "." + signature(text);
  }

  private String header(String changes) throws Exception {
    var header = JSON.createObjectNode().put("alg", "ES256").put("kid", keys.current().id());
    header.setAll((ObjectNode) JSON.readTree(changes));
    return encoded(JSON.writeValueAsBytes(header));
  }

  private String signature(String text) throws Exception {
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(keys.current().secret());
    signature.update(text.getBytes(StandardCharsets.US_ASCII));
    return encoded(signature.sign());
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
