package dev.berth.driver.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodePublishing.Publish;
import dev.berth.driver.spi.NodeStaging.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What an author may write to a log without a thought (SEC-03).
class ToldSecretsTest {
  private static final Map<String, String> CONTEXT =
      Map.of("csi.storage.k8s.io/serviceAccount.tokens", "{token: hush}", "pool", "fast");
  private static final Usage USAGE =
      new Usage(
          new Access.Mount("ext4", List.of("password=hush"), ""), AccessMode.SINGLE_NODE_WRITER);
  private static final Secrets SECRETS = new Secrets(Map.of("key", "hush"));
  private static final Path HERE = Path.of("/here");

  static Stream<Record> requests() {
    return Stream.of(
        new Publish(
            "vol-1", Optional.of(HERE), HERE, USAGE, false, Map.of("lun", "7"), CONTEXT, SECRETS),
        new Stage("vol-1", HERE, USAGE, Map.of("lun", "7"), CONTEXT, SECRETS));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aRequestTellsNoTokenAndNoSecret(Record request) {
    assertThat(request.toString())
        .doesNotContain("hush")
        .contains("vol-1", "/here", "pool=fast", "lun=7", "serviceAccount.tokens");
  }
}
