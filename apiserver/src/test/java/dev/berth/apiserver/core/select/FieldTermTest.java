package dev.berth.apiserver.core.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldTermTest {
  @Test
  void commasJoinUnlessEscaped() throws Exception { // API-92
    assertThat(FieldTerm.parse("a=1,b!=2,,c==3"))
        .containsExactly(
            new FieldTerm("a", false, "1"),
            new FieldTerm("b", true, "2"),
            new FieldTerm("c", false, "3"));
    assertThat(FieldTerm.parse("a=x\\,b\\=1")).containsExactly(new FieldTerm("a", false, "x,b=1"));
    assertThat(FieldTerm.parse("a=x\\\\,b=1"))
        .containsExactly(new FieldTerm("a", false, "x\\"), new FieldTerm("b", false, "1"));
    assertThat(FieldTerm.parse("")).isEmpty();
    assertThatThrownBy(() -> FieldTerm.parse("a=1,b")).hasMessageContaining("can't understand 'b'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metadata.name=x                       | x
          metadata.namespace=n,metadata.name==x | x
          metadata.name!=x                      | ''
          metadata.name!=y\\,metadata.name=x    | ''
          metadata.name=x\\,y                   | x,y
          metadata.name=x,nonsense              | ''
          """)
  void onlyAnExactTermLimitsToOne(String selector, String only) {
    assertThat(FieldTerm.only(selector, "metadata.name")).isEqualTo(only);
  }
}
