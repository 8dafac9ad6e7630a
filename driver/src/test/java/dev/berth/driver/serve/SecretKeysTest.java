package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.driver.spi.SecretKeys;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which secrets a call has to bring, and what their keys are made of (SEC-05).
class SecretKeysTest {
  private final ToyDriver driver = new ToyDriver();
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    driver.secretKeys = SecretKeys.NONE.with(Call.CREATE_VOLUME, "user", "password");
    served = Served.of(driver);
  }

  @AfterEach
  void end() throws IOException {
    served.close();
  }

  @Test
  void aCallWithoutWhatItNeedsIsRefusedBeforeTheDriverIsAsked() {
    driver.hook =
        operation -> {
          throw new AssertionError("the driver is asked to " + operation);
        };
    Served.assertRefused(
        Code.UNAUTHENTICATED,
        "CreateVolume needs the secret password; ",
        () -> served.create(wanted("v").putSecrets("user", "me")));
  }

  @Test
  void whatIsNotThereIsDeletedWithoutSecrets() throws IOException { // CTL-02
    driver.secretKeys = SecretKeys.NONE.with(Call.DELETE_VOLUME, "password");
    try (var strict = Served.of(driver)) {
      var delete = DeleteVolumeRequest.newBuilder().setVolumeId("v-unknown").build();
      assertThat(strict.controller().deleteVolume(delete).isInitialized()).isTrue();
      var id = strict.create(wanted("v"));
      Served.assertRefused(
          Code.UNAUTHENTICATED,
          "DeleteVolume needs the secret password; ",
          () -> strict.controller().deleteVolume(delete.toBuilder().setVolumeId(id).build()));
    }
  }

  @Test
  void whatIsNeededIsEnoughAndMoreIsLeftAlone() {
    var id =
        served.create(
            wanted("v")
                .putSecrets("user", "me")
                .putSecrets("password", "mine")
                .putSecrets("of.another-CALL_1", "x"));
    served.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  @Test
  void aMalformedKeyIsRefusedAndNotRepeated() {
    for (var key : new String[] {"pass word", "", "schlüssel", "a/b"})
      assertThatThrownBy(() -> served.create(wanted("v").putSecrets(key, "x")))
          .isInstanceOfSatisfying(
              CsiException.class,
              e -> {
                assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
                assertThat(e.description())
                    .isEqualTo("secrets: a key is not of letters, digits, '-', '_' and '.'");
              });
  }

  @Test
  void aDriverTellsWhatItNeeds() {
    assertThat(driver.secretKeys.with(Call.NODE_STAGE, "password"))
        .hasToString("CreateVolume: password, user; NodeStageVolume: password");
  }

  @Test
  void aDriverThatNeedsWhatCannotBeDoesNotStart() {
    assertThatThrownBy(() -> SecretKeys.NONE.with(Call.NODE_STAGE, "pass word"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NodeStageVolume");
  }
}
