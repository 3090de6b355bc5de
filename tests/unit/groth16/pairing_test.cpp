#include "shared/groth16/pairing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "shared/math/decimal_element.hpp"
#include "shared/math/scalar_mul.hpp"

namespace baton {
namespace {

/// e(generator of G1, generator of G2) in the representation of snarkjs.
template <class Curve>
Fp12<Curve> known_pairing();
template <>
Fp12<Bn254> known_pairing<Bn254>() {
  using Fq = Bn254::Fq;
  return {
      {{decimal_element<Fq>("17264119758069723980713015158403419364912226240334615592005620718956030922389"),
        decimal_element<Fq>("1300711225518851207585954685848229181392358478699795190245709208408267917898")},
       {decimal_element<Fq>("8894217292938489450175280157304813535227569267786222825147475294561798790624"),
        decimal_element<Fq>("1829859855596098509359522796979920150769875799037311140071969971193843357227")},
       {decimal_element<Fq>("4968700049505451466697923764727215585075098085662966862137174841375779106779"),
        decimal_element<Fq>(
            "12814315002058128940449527172080950701976819591738376253772993495204862218736")}},
      {{decimal_element<Fq>("4233474252585134102088637248223601499779641130562251948384759786370563844606"),
        decimal_element<Fq>("9420544134055737381096389798327244442442230840902787283326002357297404128074")},
       {decimal_element<Fq>("13457906610892676317612909831857663099224588803620954529514857102808143524905"),
        decimal_element<Fq>("5122435115068592725432309312491733755581898052459744089947319066829791570839")},
       {decimal_element<Fq>("8891987925005301465158626530377582234132838601606565363865129986128301774627"),
        decimal_element<Fq>("440796048150724096437130979851431985500142692666486515369083499585648077975")}}};
}
template <>
Fp12<Bls12_381> known_pairing<Bls12_381>() {
  using Fq = Bls12_381::Fq;
  return {{{decimal_element<Fq>(
                "2819105605953691245277803056322684086884703000473961065716485506033588504203831029066448"
                "642358042597501014294104502"),
            decimal_element<Fq>(
                "1323968232986996742571315206151405965104242542339680722164220900812303524334628370163366"
                "153839984196298685227734799")},
           {decimal_element<Fq>(
                "2987335049721312504428602988447616328830341722376962214011674875969052835043875658579425"
                "548512925634040144704192135"),
            decimal_element<Fq>(
                "3879723582452552452538684314479081967502111497413076598816163759028842927668327542875108"
                "457755966417881797966271311")},
           {decimal_element<Fq>(
                "2615081825179970031713857433746533391860595184942395431398390258788700126149753026762967"
                "04930880982238308326681253"),
            decimal_element<Fq>(
                "2314889922464604596638135983424486698544739421050543815113467867190058833408760320436067"
                "39070883099647773793170614")}},
          {{decimal_element<Fq>(
                "3993582095516422658773669068931361134188738159766715576187490305611759126554796569868053"
                "818105850661142222948198557"),
            decimal_element<Fq>(
                "1074773511698422344502264006159859710502164045911412750831641680783012525555872467108249"
                "271286757399121183508900634")},
           {decimal_element<Fq>(
                "2727588299083545686739024317998512740561167011046940249988557419323068809019137624943703"
                "910267790601287073339193943"),
            decimal_element<Fq>(
                "4936432998144376409147456778543696700410803443496075046565433557990774855362888660092450"
                "28091988146107059514546594")},
           {decimal_element<Fq>(
                "7344013321966414418394391059426231412341489579724077822573550602291938543249274178654018"
                "95596108124443575283868655"),
            decimal_element<Fq>(
                "2348330098288556420918672502923664952620152483128593484301759394583320358354186482723629"
                "999370241674973832318248497")}}};
}

template <class Curve>
class PairingTest : public ::testing::Test {
 protected:
  static typename Curve::G1Affine g1(std::uint64_t k) {
    return scalar_mul(Curve::g1_generator(), BigInt<1>::from_u64(k)).to_affine();
  }
  static typename Curve::G2Affine g2(std::uint64_t k) {
    return scalar_mul(Curve::g2_generator(), BigInt<1>::from_u64(k)).to_affine();
  }
};

using Curves = ::testing::Types<Bn254, Bls12_381>;
TYPED_TEST_SUITE(PairingTest, Curves);

TYPED_TEST(PairingTest, TheGeneratorsGiveTheKnownValue) {
  EXPECT_EQ((pairing<TypeParam>(this->g1(1), this->g2(1))), known_pairing<TypeParam>());
}

TYPED_TEST(PairingTest, TheValueHasTheOrderOfTheScalarField) {
  const auto value = pairing<TypeParam>(this->g1(5), this->g2(7));
  EXPECT_FALSE(value == Fp12<TypeParam>::one());
  EXPECT_EQ(value.pow(TypeParam::Fr::modulus()), Fp12<TypeParam>::one());
}

TYPED_TEST(PairingTest, ItIsBilinear) {
  const auto base = pairing<TypeParam>(this->g1(1), this->g2(1));
  EXPECT_EQ((pairing<TypeParam>(this->g1(6), this->g2(35))), base.pow(BigInt<1>::from_u64(210)));
  EXPECT_EQ((pairing<TypeParam>(this->g1(35), this->g2(6))), base.pow(BigInt<1>::from_u64(210)));
  EXPECT_EQ((pairing<TypeParam>(-this->g1(3), this->g2(4))), base.pow(BigInt<1>::from_u64(12)).conjugate());
  EXPECT_EQ((pairing<TypeParam>(this->g1(3), -this->g2(4))), base.pow(BigInt<1>::from_u64(12)).conjugate());
}

TYPED_TEST(PairingTest, InfinityOnEitherSideGivesOne) {
  EXPECT_EQ((pairing<TypeParam>(TypeParam::G1Affine::infinity(), this->g2(1))), Fp12<TypeParam>::one());
  EXPECT_EQ((pairing<TypeParam>(this->g1(1), TypeParam::G2Affine::infinity())), Fp12<TypeParam>::one());
}

TYPED_TEST(PairingTest, ASharedLoopGivesTheProductOfThePairings) {
  const G2Lines<TypeParam> a(this->g2(2));
  const G2Lines<TypeParam> b(this->g2(11));
  const G2Lines<TypeParam> none(TypeParam::G2Affine::infinity());
  const std::array<PairingTerm<TypeParam>, 4> terms{
      {{this->g1(3), &a}, {this->g1(5), &b}, {this->g1(9), &none}, {TypeParam::G1Affine::infinity(), &a}}};
  const auto product = final_exponentiation(miller_loop(std::span<const PairingTerm<TypeParam>>(terms)));
  EXPECT_EQ(product, (pairing<TypeParam>(this->g1(1), this->g2(61))));
}

TYPED_TEST(PairingTest, OppositeTermsCancel) {
  const G2Lines<TypeParam> a(this->g2(6));
  const G2Lines<TypeParam> b(this->g2(10));
  const std::array<PairingTerm<TypeParam>, 2> terms{{{this->g1(5), &a}, {-this->g1(3), &b}}};
  EXPECT_EQ(final_exponentiation(miller_loop(std::span<const PairingTerm<TypeParam>>(terms))),
            Fp12<TypeParam>::one());
}

}  // namespace
}  // namespace baton
