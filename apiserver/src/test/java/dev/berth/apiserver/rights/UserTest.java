package dev.berth.apiserver.rights;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-135: who shares what each may have at once, and who waits for nobody.
class UserTest {
  @ParameterizedTest
  @CsvSource({
    "jane, dev, jane, false",
    "system:serviceaccount:team:one, x, system:serviceaccounts:team, false",
    "system:serviceaccount:team:two, x, system:serviceaccounts:team, false",
    "system:serviceaccount:other:one, x, system:serviceaccounts:other, false",
    "system:serviceaccount:, x, system:serviceaccount:, false",
    "system:serviceaccount:kube-system:a, system:serviceaccounts:kube-system,"
        + " system:serviceaccount:kube-system:a, true",
    "system:node:a, system:nodes, system:node:a, true",
    "system:kube-scheduler, x, system:kube-scheduler, true",
    "berth-admin, system:masters, berth-admin, true",
  })
  void accountsOfOneNamespaceAreOne(String name, String group, String purse, boolean system) {
    var user = User.authenticated(name, "", List.of(group), Map.of());
    assertThat(user.purse()).isEqualTo(purse);
    assertThat(user.isSystem()).isEqualTo(system);
  }
}
