package dev.berth.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.csi.registration.v1.PluginInfo;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfferTest {
  private static final Path SOCKET = Path.of("/run/d-reg.sock");

  private static PluginInfo.Builder wanted() {
    return PluginInfo.newBuilder()
        .setType("CSIPlugin")
        .setName("disk.berth.dev")
        .setEndpoint("/run/csi.sock")
        .addSupportedVersions("1.0.0");
  }

  @Test
  void saysNameAndEndpoint() throws Offer.Refused {
    assertThat(Offer.of(wanted().build(), SOCKET))
        .isEqualTo(
            new Offer("disk.berth.dev", Path.of("/run/csi.sock"), new PluginVersion(1, 0, 0)));
  }

  @Test
  void anEmptyEndpointIsTheRegistrationSocket() throws Offer.Refused { // NREG-04
    assertThat(Offer.of(wanted().setEndpoint("").build(), SOCKET).endpoint()).isEqualTo(SOCKET);
  }

  @Test
  void anEndpointMayBeAnAddress() throws Offer.Refused { // NREG-09
    assertThat(Offer.of(wanted().setEndpoint("unix:///run/a.sock").build(), SOCKET).endpoint())
        .isEqualTo(Path.of("/run/a.sock"));
  }

  @ParameterizedTest // NLAY-07: whoever offered it is told
  @ValueSource(strings = {"relative.sock", "unix://host/a.sock"})
  void anEndpointThatNoSocketCanHaveIsRefused(String endpoint) {
    assertThatExceptionOfType(Offer.Refused.class)
        .isThrownBy(() -> Offer.of(wanted().setEndpoint(endpoint).build(), SOCKET))
        .withMessageStartingWith("RegisterPlugin error -- plugin validation failed with err: ");
  }

  @Test // NLAY-07
  void anEndpointThatIsNoPathIsRefused() {
    assertThatExceptionOfType(Offer.Refused.class)
        .isThrownBy(() -> Offer.of(wanted().setEndpoint("/run/a\0b.sock").build(), SOCKET));
  }

  @Test // NLAY-07
  void anEndpointThatIsTooLongIsRefusedWithTheLimit() {
    var endpoint = "/run/" + "x".repeat(103);
    assertThatExceptionOfType(Offer.Refused.class)
        .isThrownBy(() -> Offer.of(wanted().setEndpoint(endpoint).build(), SOCKET))
        .withMessageContaining("has 108 bytes, more than the 107");
  }

  @ParameterizedTest // NREG-05
  @ValueSource(strings = {"v1.0.0", "0.2.0,v1.2.3", "v1.2.3,boo,2.0.1", "1"})
  void aVersionOfMajorOneIsEnough(String versions) throws Offer.Refused {
    var info = wanted().clearSupportedVersions().addAllSupportedVersions(split(versions)).build();
    assertThat(Offer.of(info, SOCKET).driver()).isEqualTo("disk.berth.dev");
  }

  @Test
  void theNewestOfMajorOneCounts() throws Offer.Refused {
    var info = wanted().addAllSupportedVersions(split("v1.10,1.9.9,2.0.0")).build();
    assertThat(Offer.of(info, SOCKET).version()).isEqualTo(new PluginVersion(1, 10, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.3.0", "4.9.12,2.0.1", "boo", ""})
  void withoutOneItIsRefused(String versions) { // NREG-04, REG-11
    var info = wanted().clearSupportedVersions().addAllSupportedVersions(split(versions)).build();
    assertThatExceptionOfType(Offer.Refused.class)
        .isThrownBy(() -> Offer.of(info, SOCKET))
        .withMessageStartingWith("RegisterPlugin error -- plugin validation failed with err: ");
  }

  @ParameterizedTest // NLAY-06: a name becomes a path
  @ValueSource(strings = {"", "a/b", "../x", ".a", "a..b", "a.", "name_with_underscore"})
  void aNameThatCannotBeAPathIsRefused(String name) {
    assertThatExceptionOfType(Offer.Refused.class)
        .isThrownBy(() -> Offer.of(wanted().setName(name).build(), SOCKET));
  }

  @Test
  void anotherKindOfPluginIsRefused() {
    assertThatExceptionOfType(Offer.Refused.class)
        .isThrownBy(() -> Offer.of(wanted().setType("DevicePlugin").build(), SOCKET))
        .withMessageContaining("no handler registered for plugin type: DevicePlugin");
  }

  private static List<String> split(String versions) {
    return List.of(versions.split(","));
  }
}
